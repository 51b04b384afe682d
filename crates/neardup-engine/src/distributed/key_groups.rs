//! Which documents may meet, by their keys. Links connect at least those that do, whatever part of them is looked at together.

use crate::distributed::known::{self, SketchBrief};
use neardup_core::keys::{KeyKind, OverCap};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::util::forest::Forest;

/// How many documents of a common key are reported.
const SAMPLE: usize = 5;
/// The most documents of a key of which every pair is looked at; more of them may all meet.
const LOOKED: usize = 64;
/// The most documents of one batch that travel for one key: of more, the first travels for all.
const FEW: usize = 16;

/// Where documents of one key meet.
pub struct KeyGroups {
    pass: CompiledPass,
    /// For each table, counted through all kinds.
    limits: Vec<KeyLimits>,
    /// The most documents of a family of which all pairs are listed.
    max_family: usize,
}

/// What keys of one table that many documents hold are.
#[derive(Clone, Copy, Debug)]
pub struct KeyLimits {
    /// The most documents of a key that is not capped.
    pub cap: Option<u32>,
    /// Whether capped keys are dropped.
    pub drops: bool,
    /// The most documents of a key that does not give way to rarer ones; None where keys do not.
    pub above: Option<u32>,
    /// The most documents of a key that is not reported.
    pub told: i64,
}

impl KeyLimits {
    /// Those of all tables of a pass of whose families of this many documents all pairs are listed.
    pub fn of(pass: &CompiledPass, max_family: usize) -> Vec<KeyLimits> {
        let of_kind = |kind: &KeyKind| {
            let above = kind.common.map(|common| kind.cap.map_or(common.above, |cap| cap.min(common.above)));
            let told = [kind.cap, above].into_iter().flatten().map(i64::from).fold(max_family as i64, i64::min);
            let drops = kind.cap.is_some() && kind.over == OverCap::Drop;
            std::iter::repeat_n(KeyLimits { cap: kind.cap, drops, above, told }, kind.keys.tables())
        };
        pass.kinds.iter().flat_map(of_kind).collect()
    }
}

/// Rows of keys of one batch of documents, as they travel: part by part, in each by ascending keys. Documents are places in
/// the batch.
#[derive(Default)]
pub struct CombinedKeys {
    /// Which part of all keys each row belongs to.
    pub parts: Vec<u32>,
    /// Keys, one a row.
    pub keys: Vec<i64>,
    /// The document of each.
    pub documents: Vec<u32>,
    /// How many documents it represents; those are linked with it.
    pub weights: Vec<i64>,
    /// Documents that a key links, unless it turns out to be dropped.
    pub links: Vec<KeyLink>,
}

/// Two documents of a batch that are linked by a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyLink {
    /// The part of the key.
    pub part: u32,
    /// The key.
    pub key: i64,
    /// The document that travels for both.
    pub left: u32,
    /// The other.
    pub right: u32,
}

/// Which of this many parts of all keys a key belongs to, on every machine. The bits of a key may be far from random.
fn part_of(key: i64, parts: u32) -> u32 {
    // By the golden ratio: the upper half of the product has something of all bits.
    let mixed = (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    ((mixed * u64::from(parts)) >> 32) as u32
}

/// What rows of keys show. Documents are places in these rows.
#[derive(Default)]
pub struct KeyFindings {
    /// Pairs of documents that may meet: together they connect all that do.
    pub left: Vec<u32>,
    /// The other side of each.
    pub right: Vec<u32>,
    /// Some documents of a key that many hold ([`KeyLimits::told`]).
    pub sample: Vec<u32>,
    /// The key of each of these.
    pub keys: Vec<i64>,
    /// How many documents have this key.
    pub sizes: Vec<i64>,
}

impl KeyGroups {
    /// Of the keys of a pass, of whose families of this many documents all pairs are listed.
    pub fn new(pass: &CompiledPass, max_family: usize) -> Self {
        KeyGroups { limits: KeyLimits::of(pass, max_family), pass: pass.clone(), max_family }
    }

    /// Combines the keys of a batch of documents, each with all its keys, and deals them out to this many parts. So a key that all
    /// documents share does not travel with all of them.
    pub fn combine<'k>(&self, keys_of: impl Iterator<Item = &'k [i64]>, parts: u32) -> CombinedKeys {
        let of_document = |(document, keys): (u32, &'k [i64])| keys.iter().map(move |&key| (part_of(key, parts), key, document));
        let mut rows: Vec<(u32, i64, u32)> = (0..).zip(keys_of).flat_map(of_document).collect();
        rows.sort_unstable();
        let mut combined = CombinedKeys::default();
        for bucket in rows.chunk_by(|one, other| one.1 == other.1) {
            let travel = if bucket.len() > FEW { 1 } else { bucket.len() };
            combined.parts.extend(bucket[..travel].iter().map(|row| row.0));
            combined.keys.extend(bucket[..travel].iter().map(|row| row.1));
            combined.documents.extend(bucket[..travel].iter().map(|row| row.2));
            combined.weights.extend(std::iter::repeat_n((bucket.len() + 1 - travel) as i64, travel));
            let left = bucket[0].2;
            combined.links.extend(bucket[travel..].iter().map(|&(part, key, right)| KeyLink { part, key, left, right }));
        }
        combined
    }

    /// Takes all rows of some keys, by ascending `keys`, each of as many documents as it weighs, with what is known of one of these.
    pub fn meet(&self, keys: &[i64], weights: &[i64], known: &[&[u8]]) -> KeyFindings {
        let (mut met, mut start) = (KeyFindings::default(), 0);
        for bucket in keys.chunk_by(|one, other| one == other) {
            let end = start + bucket.len();
            let rows = KeyGroup { start: start as u32, weights: &weights[start..end], known: &known[start..end] };
            self.bucket(bucket[0], &rows, &mut met);
            start = end;
        }
        met
    }

    fn bucket(&self, key: i64, rows: &KeyGroup<'_>, met: &mut KeyFindings) {
        let (start, count) = (rows.start, rows.weights.len() as u32);
        let size: i64 = rows.weights.iter().sum();
        let KeyLimits { cap, drops, told, .. } = self.limits[(key >> 32) as usize];
        let is_capped = cap.is_some_and(|cap| size > i64::from(cap));
        // What is said of a large family holds for all of it.
        let looked = LOOKED.min(self.max_family).min(cap.map_or(LOOKED, |cap| cap as usize));
        if size == i64::from(count) && count as usize <= looked {
            self.look(rows, met);
        } else if !(drops && is_capped) {
            met.left.extend(std::iter::repeat_n(start, count as usize - 1));
            met.right.extend(start + 1..start + count);
        }
        if size > told {
            let sampled = count.min(SAMPLE as u32);
            met.sample.extend(start..start + sampled);
            met.keys.extend(std::iter::repeat_n(key, sampled as usize));
            met.sizes.extend(std::iter::repeat_n(size, sampled as usize));
        }
    }

    /// Links those that may hold, pair by pair.
    fn look(&self, rows: &KeyGroup<'_>, met: &mut KeyFindings) {
        let known: Vec<SketchBrief> = rows.known.iter().map(|bytes| known::read(bytes)).collect();
        for right in 1..known.len() {
            for left in 0..right {
                if known::possible(&self.pass, &known[left], &known[right]) {
                    met.left.push(rows.start + left as u32);
                    met.right.push(rows.start + right as u32);
                }
            }
        }
    }
}

/// Rows of one key.
struct KeyGroup<'a> {
    /// The place of the first.
    start: u32,
    weights: &'a [i64],
    known: &'a [&'a [u8]],
}

/// The root of every one of `count` members that `left` and `right` connect, pair by pair.
pub fn families(left: &[u32], right: &[u32], count: usize) -> Vec<u32> {
    let mut forest = Forest::new(count);
    left.iter().zip(right).for_each(|(&left, &right)| forest.union(left, right));
    (0..count as u32).map(|member| forest.find(member)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_core::compile::compile;
    use neardup_core::measures::Overlap;
    use neardup_core::pass::compiled::SketchContent;
    use neardup_core::sets::set::Set;
    use neardup_core::signing::segment::ChunkBuilder;
    use neardup_core::signing::signer::Signer;
    use neardup_text::Text;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn pass(line: &str) -> CompiledPass {
        let mut pass = compile(&line.parse().unwrap()).unwrap();
        pass.kept.push(SketchContent::Size);
        pass
    }

    /// The roots of documents, each with its keys and what is known of it, and common keys with their sizes, when this many documents
    /// are combined at a time, and each of this many parts meets by itself.
    fn all(meeting: &KeyGroups, documents: &[(Vec<i64>, Vec<u8>)], batch: usize, parts: u32) -> (Vec<u32>, BTreeMap<i64, i64>) {
        let mut rows: BTreeMap<u32, Vec<(i64, u32, i64)>> = BTreeMap::new();
        let mut pending: Vec<(i64, u32, u32)> = Vec::new();
        for (number, some) in (0..).zip(documents.chunks(batch)) {
            let first = number * batch as u32;
            let combined = meeting.combine(some.iter().map(|document| &document.0[..]), parts);
            for (place, &part) in combined.parts.iter().enumerate() {
                let row = (combined.keys[place], first + combined.documents[place], combined.weights[place]);
                rows.entry(part).or_default().push(row);
            }
            for KeyLink { part, key, left, right } in combined.links {
                assert_eq!(part, part_of(key, parts));
                pending.push((key, first + left, first + right));
            }
        }
        let (mut left, mut right, mut common) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (part, mut these) in rows {
            assert!(part < parts);
            these.sort_unstable();
            let (keys, weights): (Vec<i64>, Vec<i64>) = these.iter().map(|row| (row.0, row.2)).unzip();
            let known: Vec<&[u8]> = these.iter().map(|row| &documents[row.1 as usize].1[..]).collect();
            let met = meeting.meet(&keys, &weights, &known);
            left.extend(met.left.iter().map(|&place| these[place as usize].1));
            right.extend(met.right.iter().map(|&place| these[place as usize].1));
            common.extend(met.keys.iter().copied().zip(met.sizes.iter().copied()));
        }
        for (key, one, other) in pending {
            if !(meeting.limits[(key >> 32) as usize].drops && common.contains_key(&key)) {
                left.push(one);
                right.push(other);
            }
        }
        (families(&left, &right, documents.len()), common)
    }

    #[test]
    fn parts_are_alike_in_size() {
        for keys in [(0..100_000i64).collect::<Vec<_>>(), (0..100_000).map(|key| (key % 16) << 32 | (key << 12) & 0xFFFF_FFFF).collect()] {
            let mut sizes = [0u32; 50];
            keys.iter().for_each(|&key| sizes[part_of(key, 50) as usize] += 1);
            assert!(sizes.iter().all(|size| (1_500..2_500).contains(size)), "{sizes:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_change_nothing(
            keys in proptest::collection::vec(proptest::collection::btree_set(0i64..30, 0..4), 1..200), batch in 1usize..90, parts in 1u32..40,
        ) {
            let documents: Vec<(Vec<i64>, Vec<u8>)> = keys.iter().map(|keys| (keys.iter().copied().collect(), vec![])).collect();
            for over in ["drop", "star"] {
                let meeting = KeyGroups::new(&pass(&format!("words | shingles:3 | whole | each cap=9 over={over} | equal")), 1000);
                let (roots, common) = all(&meeting, &documents, batch, parts);
                let mut sizes: BTreeMap<i64, i64> = BTreeMap::new();
                keys.iter().flatten().for_each(|&key| *sizes.entry(key).or_insert(0) += 1);
                let above: BTreeMap<i64, i64> = sizes.into_iter().filter(|(_, size)| *size > 9).collect();
                prop_assert_eq!(&common, &above);
                let mut forest = Forest::new(documents.len());
                let mut first_of: BTreeMap<i64, u32> = BTreeMap::new();
                for (document, keys) in (0..).zip(&keys) {
                    for key in keys.iter().filter(|key| over == "star" || !above.contains_key(key)) {
                        forest.union(*first_of.entry(*key).or_insert(document), document);
                    }
                }
                let expected: Vec<u32> = (0..documents.len() as u32).map(|document| forest.find(document)).collect();
                prop_assert_eq!(roots, expected);
            }
        }

        #[test]
        fn whoever_holds_stays_together(
            texts in proptest::collection::vec(proptest::collection::vec(0u8..6, 0..12), 1..60), batch in 1usize..70, parts in 1u32..70,
        ) {
            for line in [
                "words | shingles:2 | whole | each | resemblance>=0.6",
                "words | shingles:2 | whole | each | containment>=0.9",
                "words | shingles:1 | simhash:64 | blocks:3,single | hamming<=3",
                "words | shingles:2 | minima:9 | each cap=5 over=drop | ~resemblance>=0.5",
            ] {
                let pass = pass(line);
                let meeting = KeyGroups::new(&pass, 1000);
                let texts: Vec<String> = texts.iter().map(|words| words.iter().map(|word| format!("w{word} ")).collect()).collect();
                let mut sets: Vec<Set> = texts.iter().map(|_| Set::default()).collect();
                let mut signer = Signer::new(&pass);
                let documents: Vec<(Vec<i64>, Vec<u8>)> = texts
                    .iter()
                    .zip(&mut sets)
                    .map(|(text, set)| {
                        let mut draft = ChunkBuilder::default();
                        signer.sign(Text::Plain(text.as_bytes()), &mut draft);
                        signer.set(Text::Plain(text.as_bytes()), set);
                        let keys = if draft.features[0] == 0 { vec![] } else { super::super::signed_rows::keys(&draft, &pass) };
                        (keys, known::write(&draft, &pass, set.features().len() as u32))
                    })
                    .collect();
                let (roots, common) = all(&meeting, &documents, batch, parts);
                for right in 1..texts.len() {
                    for left in 0..right {
                        let share = documents[left].0.iter().any(|key| documents[right].0.contains(key) && !common.contains_key(key));
                        let overlap: Overlap = sets[left].overlap(sets[right].features());
                        // Of signatures equal sets say enough: their fingerprints are equal.
                        let holds = if line.contains("blocks") { overlap.shared == overlap.left.max(overlap.right) } else { pass.holds(overlap) };
                        prop_assert!(!(share && holds) || roots[left] == roots[right], "{} {:?}", line, overlap);
                    }
                }
            }
        }
    }
}
