//! Near fingerprints: thins out buckets of fingerprints to those that are truly within m bits of each other.
//!
//! The members of a bucket are split into chains of near ones, and a member that is near no other is dropped. No near pair
//! is lost, and the result is as small as the set of pairs to find. Meanwhile, fingerprints are adjacent in memory, so that
//! one is compared with many at once.

use crate::Result;
use crate::keys::{BitRuns, Blocks, Keys};
use crate::pass::compiled::{CompiledPass, SketchContent};
use crate::sets::parts::SketchPart;
use crate::signing::segment::{StoredChunk, range};
use crate::util::forest::Forest;
use crate::util::ids::DocId;
use crate::util::store::Store;
use neardup_text::simd::{Kernel, Lanes, Level};
use std::collections::HashSet;

/// Number of members up to which comparing all is faster than splitting.
const LARGE: usize = 1 << 11;

/// Splits buckets of one kind of keys.
pub struct BucketSplitter<'a> {
    blocks: &'a Blocks,
    /// The part of a sketch that contains the fingerprint.
    part: usize,
    level: Level,
    /// Buckets with more members than this are split by further bits, if that helps.
    large: usize,
}

/// Documents with their fingerprints.
#[derive(Clone, Debug, Default)]
pub struct FingerprintMembers {
    documents: Vec<DocId>,
    /// [`BucketSplitter::words`] words for each document.
    words: Vec<u64>,
}

impl<'a> BucketSplitter<'a> {
    /// Creates a splitter for keys of `pass` that are blocks of fingerprints kept in sketches, otherwise returns `None`.
    pub fn new(pass: &CompiledPass, keys: &'a Keys) -> Option<Self> {
        let part = pass.kept.iter().position(|kept| *kept == SketchContent::Signature(0))?;
        match keys {
            Keys::Blocks(blocks) => Some(BucketSplitter { blocks, part, level: Level::best(), large: LARGE }),
            _ => None,
        }
    }

    /// Returns an approximate upper bound on the bytes per document while its bucket is split, if all documents are in it.
    pub fn bytes(&self) -> usize {
        const COPIES: usize = 6;
        const BESIDE: usize = 32;
        COPIES * size_of::<u64>() * self.words() + BESIDE
    }

    /// Returns the number of words of a fingerprint in memory: its own, padded with zeros to a width that is compared at
    /// once.
    pub fn words(&self) -> usize {
        match self.blocks.words {
            1 => 1,
            2 => 2,
            3..=6 => 6,
            _ => 16,
        }
    }

    /// Reads the fingerprints of all documents of a segment.
    pub fn fingerprints<const W: usize>(&self, store: &Store, segment: &StoredChunk) -> Result<Vec<[u64; W]>> {
        let (parts, ends) = (store.all(segment.parts)?, store.all(segment.part_ends)?);
        let fingerprint = |document: usize| {
            let mut fingerprint = [0; W];
            let values = SketchPart::nth(&parts[range(&ends, document)], self.part).values;
            fingerprint[..values.len()].copy_from_slice(values);
            fingerprint
        };
        Ok((0..segment.len()).map(fingerprint).collect())
    }

    /// Passes the documents of every chain of two or more near members to `each`, ascending. All members share the key of
    /// `table`. Changes the order of the members. Returns the number of comparisons of two fingerprints.
    pub fn split(&self, table: usize, members: &mut FingerprintMembers, each: &mut dyn FnMut(&[DocId])) -> u64 {
        if members.documents.len() <= self.large {
            return self.connect(members, each);
        }
        // Repeated splits may break up a chain; the forest over places joins it again.
        let count = members.documents.len();
        let documents = std::mem::replace(&mut members.documents, DocId::first(count).collect());
        let mut forest = Forest::<DocId>::new(count);
        let looks =
            self.halve(members, &self.blocks.beside(table), &mut |chain| chain.iter().for_each(|&place| forest.union(chain[0], place)));
        let mut places: Vec<(DocId, DocId)> = DocId::first(count).map(|place| (forest.find(place), documents[place.index()])).collect();
        places.sort_unstable();
        for chain in places.chunk_by(|left, right| left.0 == right.0).filter(|chain| chain.len() > 1) {
            each(&chain.iter().map(|place| place.1).collect::<Vec<_>>());
        }
        looks
    }

    /// Splits members whose bits are equal except at the places `beside`. Near ones differ in at most m of these, so they
    /// are equal in one of m + 1 blocks.
    fn halve(&self, members: &mut FingerprintMembers, beside: &BitRuns, each: &mut dyn FnMut(&[DocId])) -> u64 {
        let count = members.documents.len();
        let blocks = if count > self.large { beside.cut(self.blocks.distance as usize + 1) } else { Vec::new() };
        let (mut keys, words) = (Vec::with_capacity(count), self.words());
        let mut by = |block: &BitRuns, members: &FingerprintMembers, each: &mut dyn FnMut(&[u64])| {
            keys.clear();
            let key = |(place, fingerprint)| u64::from(block.key(fingerprint)) << 32 | place;
            keys.extend((0..).zip(members.words.chunks_exact(words)).map(key));
            keys.sort_unstable();
            keys.chunk_by(|left, right| left >> 32 == right >> 32).filter(|run| run.len() > 1).for_each(each);
        };
        let mut compares = 0;
        blocks.iter().for_each(|block| by(block, members, &mut |run| compares += (run.len() as u128).pow(2)));
        // Members that are all near each other stay together, whatever the bits.
        if blocks.is_empty() || 2 * compares > (count as u128).pow(2) {
            return self.connect(members, each);
        }
        let (mut some, mut looks) = (FingerprintMembers::default(), 0);
        for block in &blocks {
            let rest = beside.without(block);
            by(block, members, &mut |run| {
                some.pick(members, run.iter().map(|&place| place as u32 as usize), words);
                looks += self.halve(&mut some, &rest, each);
            });
        }
        looks
    }

    fn connect(&self, members: &mut FingerprintMembers, each: &mut dyn FnMut(&[DocId])) -> u64 {
        self.level.run(Connect { words: self.words(), most: self.blocks.distance, large: self.large, members, each })
    }
}

impl FingerprintMembers {
    /// Replaces the members.
    pub fn take<const W: usize>(&mut self, members: impl Iterator<Item = (DocId, [u64; W])>) {
        self.documents.clear();
        self.words.clear();
        for (document, fingerprint) in members {
            self.documents.push(document);
            self.words.extend(fingerprint);
        }
    }

    /// Replaces the members by those at some places of `others`.
    fn pick(&mut self, others: &FingerprintMembers, places: impl Iterator<Item = usize>, words: usize) {
        self.documents.clear();
        self.words.clear();
        for place in places {
            self.documents.push(others.documents[place]);
            self.words.extend_from_slice(&others.words[place * words..(place + 1) * words]);
        }
    }
}

struct Connect<'a> {
    words: usize,
    most: u32,
    large: usize,
    members: &'a mut FingerprintMembers,
    each: &'a mut dyn FnMut(&[DocId]),
}

impl Kernel for Connect<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> u64 {
        match self.words {
            1 => self.chains::<1>(),
            2 => self.chains::<2>(),
            6 => self.chains::<6>(),
            _ => self.chains::<16>(),
        }
    }
}

impl Connect<'_> {
    /// Moves one chain after another to the front. A document near one of the chain's members joins it, until none does.
    #[inline(always)]
    fn chains<const W: usize>(self) -> u64 {
        let FingerprintMembers { documents, words } = self.members;
        let fingerprints = words.as_chunks_mut::<W>().0;
        let count = fingerprints.len();
        // In a large bucket many fingerprints may be equal. Then one search is enough for all of them.
        let mut seen: HashSet<[u64; W]> = HashSet::new();
        let (mut start, mut looks) = (0, 0);
        while start < count {
            let (mut at, mut end) = (start, start + 1);
            while at < end {
                let from = fingerprints[at];
                if count <= self.large || seen.insert(from) {
                    looks += (count - end) as u64;
                    end = join(fingerprints, documents, &from, end, self.most);
                }
                at += 1;
            }
            if end - start > 1 {
                documents[start..end].sort_unstable();
                (self.each)(&documents[start..end]);
            }
            start = end;
        }
        looks
    }
}

/// Moves all members near `from` to `end`, and returns their new end.
#[inline(always)]
fn join<const W: usize>(fingerprints: &mut [[u64; W]], documents: &mut [DocId], from: &[u64; W], mut end: usize, most: u32) -> usize {
    const AT_ONCE: usize = 8;
    let mut at = end;
    while at < fingerprints.len() {
        let behind = fingerprints.len().min(at + AT_ONCE);
        let some = fingerprints[at..].first_chunk::<AT_ONCE>();
        if some.is_none_or(|some| some.iter().fold(false, |any, other| any | (differing(other, from) <= most))) {
            for place in at..behind {
                if differing(&fingerprints[place], from) <= most {
                    fingerprints.swap(place, end);
                    documents.swap(place, end);
                    end += 1;
                }
            }
        }
        at = behind;
    }
    end
}

#[inline(always)]
fn differing<const W: usize>(left: &[u64; W], right: &[u64; W]) -> u32 {
    let mut count = 0;
    for i in 0..W {
        count += (left[i] ^ right[i]).count_ones();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;
    use proptest::prelude::*;

    /// Returns the chains of near members by the definition. Both the chains and their members ascend.
    fn slow(fingerprints: &[Vec<u64>], most: u32) -> Vec<Vec<u32>> {
        let near = |left: &[u64], right: &[u64]| left.iter().zip(right).map(|(l, r)| (l ^ r).count_ones()).sum::<u32>() <= most;
        let mut forest = Forest::new(fingerprints.len());
        for (left, fingerprint) in fingerprints.iter().enumerate() {
            let others = (0..left).filter(|&right| near(fingerprint, &fingerprints[right]));
            others.for_each(|right| forest.union(left as u32, right as u32));
        }
        let mut chains = vec![Vec::new(); fingerprints.len()];
        (0..fingerprints.len() as u32).for_each(|place| chains[forest.find(place) as usize].push(place));
        chains.into_iter().filter(|chain| chain.len() > 1).collect()
    }

    /// Returns what splitting the bucket of the first table finds. Documents are the places times 3.
    fn found(fingerprints: &[Vec<u64>], line: &str, large: usize) -> Vec<Vec<u32>> {
        let pass = compile(&line.parse().unwrap()).unwrap();
        let near = BucketSplitter { large, ..BucketSplitter::new(&pass, &pass.kinds[0].keys).unwrap() };
        let mut members =
            FingerprintMembers { documents: (0..fingerprints.len() as u32).map(|place| DocId(3 * place)).collect(), words: Vec::new() };
        for fingerprint in fingerprints {
            members.words.extend(fingerprint.iter().copied().chain(std::iter::repeat(0)).take(near.words()));
        }
        let mut chains = Vec::new();
        let mut each = |chain: &[DocId]| chains.push(chain.iter().map(|document| document.0 / 3).collect::<Vec<_>>());
        near.split(0, &mut members, &mut each);
        chains.sort_unstable();
        chains
    }

    fn random(number: u64) -> u64 {
        bytemuck::pod_read_unaligned(&blake3::hash(&number.to_le_bytes()).as_bytes()[..8])
    }

    /// Fingerprints that share the first block. Each is a base with up to five bits changed in all other blocks.
    fn clustered(count: usize, words: usize, bases: u64, kept: u64) -> Vec<Vec<u64>> {
        let member = |number: u64| {
            let mut fingerprint: Vec<u64> = (0..words as u64).map(|word| random(100 * (number % bases) + word)).collect();
            for change in 0..random(number << 32) % 6 {
                let bit = random(number << 32 ^ change) % (64 * words as u64 - kept) + kept;
                fingerprint[bit as usize / 64] ^= 1 << (bit % 64);
            }
            fingerprint[0] = fingerprint[0] >> kept << kept;
            fingerprint
        };
        (0..count as u64).map(member).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn chains_are_those_of_the_definition(count in 0usize..200, bases in 1u64..90, large in 1usize..30, words in prop::sample::select(vec![1usize, 2, 4, 6, 9])) {
            let fingerprints = clustered(count, words, bases, 8);
            let signature = if words <= 2 { "simhash" } else { "projection" };
            let line = format!("words | shingles:1 | {signature}:{} | blocks:3,single | hamming<=3", 64 * words);
            let expected = slow(&fingerprints, 3);
            prop_assert_eq!(&found(&fingerprints, &line, LARGE), &expected);
            prop_assert_eq!(&found(&fingerprints, &line, large), &expected);
        }
    }

    #[test]
    fn large_buckets_are_split_alike() {
        split_alike(LARGE / 4);
    }

    #[test]
    #[ignore = "as large as they are in a run"]
    fn buckets_of_a_run_are_split_alike() {
        split_alike(LARGE);
    }

    fn split_alike(large: usize) {
        let line = "words | shingles:1 | simhash:64 | blocks:3,single | hamming<=3";
        // Mostly unrelated members; a single family; both.
        for bases in [u64::MAX, 1, 3] {
            let mut fingerprints = clustered(3 * large, 1, bases, 16);
            if bases == 3 {
                fingerprints.extend(clustered(2 * large, 1, u64::MAX, 16));
            }
            assert_eq!(found(&fingerprints, line, large), slow(&fingerprints, 3), "{bases}");
        }
    }
}
