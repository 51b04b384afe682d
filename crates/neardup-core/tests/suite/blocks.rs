//! Keys of bit blocks: every plan finds the same pairs as brute force.

use crate::support::fingerprints::{OneWord, segments};
use crate::support::unwatched::Unwatched;
use neardup_core::candidates::arrange::{Arranged, arrange};
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::pairs::{Pair, score};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::{CandidateId, DocId, Rank};
use proptest::prelude::*;

const PLANS: [&str; 3] = ["single", "double", "nested"];

fn slices(fingerprints: &[Vec<u64>]) -> Vec<&[u64]> {
    fingerprints.iter().map(Vec::as_slice).collect()
}

fn arranged(segments: &Segments, pass: &CompiledPass, memory: usize) -> (Arranged, Buckets) {
    let arranged = arrange(segments, pass, &|_| true, memory).unwrap();
    let buckets = Buckets::load(segments.store(), &arranged.parts).unwrap();
    (arranged, buckets)
}

/// Returns all pairs that the scheme finds.
fn found(fingerprints: &[Vec<u64>], line: &str, chunk: usize, memory: usize) -> Vec<(DocId, DocId)> {
    let pass = compile(&line.parse().unwrap()).unwrap();
    let segments = segments(&slices(fingerprints), &pass, chunk);
    let (_, buckets) = arranged(&segments, &pass, memory);
    let candidates = Candidates::new(&segments, &buckets, &Ignored::default(), &|document: DocId| Rank(document.0)).unwrap();
    let comparer = Comparer::new(&candidates, &pass, &OneWord, 0);
    let mut pairs = Vec::new();
    let document = |candidate: CandidateId| candidates.documents[candidate.index()];
    let mut take = |found: Vec<Pair>| -> neardup_core::Result<()> {
        pairs.extend(found.iter().map(|pair| (document(pair.left), document(pair.right))));
        Ok(())
    };
    score(&candidates, &comparer, &|_, _| true, usize::MAX, &Unwatched, &mut take).unwrap();
    pairs.sort_unstable();
    pairs
}

fn differing(left: &[u64], right: &[u64]) -> u32 {
    left.iter().zip(right).map(|(l, r)| (l ^ r).count_ones()).sum()
}

/// Returns all pairs that differ in at most `most` bits, found by comparing all pairs.
fn brute_force(fingerprints: &[Vec<u64>], most: u32) -> Vec<(DocId, DocId)> {
    let count = fingerprints.len();
    let pairs = (0..count).flat_map(|left| (left + 1..count).map(move |right| (left, right)));
    let near = |&(left, right): &(usize, usize)| differing(&fingerprints[left], &fingerprints[right]) <= most;
    pairs.filter(near).map(|(left, right)| (DocId(left as u32), DocId(right as u32))).collect()
}

/// Generates fingerprints of 64 or 128 bits: random ones, and others that differ from an earlier one in a few bits.
fn fingerprints() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let change = proptest::collection::btree_set(0usize..128, 0..9);
    let member = (any::<[u64; 2]>(), any::<prop::sample::Index>(), change, 0u32..4);
    (1usize..=2, proptest::collection::vec(member, 1..70)).prop_map(|(words, members)| {
        let mut all: Vec<Vec<u64>> = Vec::new();
        for (random, base, changes, kind) in members {
            let mut fingerprint = random[..words].to_vec();
            if kind > 0 && !all.is_empty() {
                fingerprint = all[base.index(all.len())].clone();
                changes.iter().filter(|&&bit| bit < 64 * words).for_each(|bit| fingerprint[bit / 64] ^= 1 << (bit % 64));
            }
            all.push(fingerprint);
        }
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_plan_equals_brute_force(all in fingerprints(), distance in 0u32..8, less in 0u32..2, chunk in 1usize..40, memory in 0usize..8000) {
        // Some pairs are exactly at the distance, some just inside or outside. The measure may be stricter than the keys.
        let most = distance.saturating_sub(less);
        for plan in PLANS {
            let line = format!("words | shingles:1 | simhash:{} | blocks:{distance},{plan} | hamming<={most}", 64 * all[0].len());
            prop_assert_eq!(found(&all, &line, chunk, memory), brute_force(&all, most), "{}", line);
        }
    }

    #[test]
    fn the_other_measures_find_pairs_by_their_bits(all in fingerprints(), plan in prop::sample::select(PLANS.to_vec()), chunk in 1usize..40) {
        let bits = 64 * all[0].len();
        let line = format!("words | shingles:1 | simhash:{bits} | blocks:6,{plan} | agree>={}", bits - 5);
        prop_assert_eq!(found(&all, &line, chunk, 0), brute_force(&all, 5), "{}", line);
        // cos(pi * 3 / 64) is 0.98918, cos(pi * 6 / 128) the same.
        let (line, most) = (format!("words | shingles:1 | simhash:{bits} | blocks:6,{plan} | ~cosine>=0.989"), bits as u32 * 3 / 64);
        prop_assert_eq!(found(&all, &line, chunk, 0), brute_force(&all, most), "{}", line);
    }
}

/// Returns a hash of a number.
fn random(number: u64) -> u64 {
    neardup_text::fingerprint::sequence(&[number], 0) as u64
}

/// Returns fingerprints with equal first 16 bits; one in ten is near the one before it.
fn sharing_a_block(count: u64) -> Vec<Vec<u64>> {
    let stranger = |number: u64| random(number) >> 16 << 16 | 0xabcd;
    (0..count).map(|number| vec![if number % 10 == 1 { stranger(number - 1) ^ 5 << 40 } else { stranger(number) }]).collect()
}

#[test]
fn a_block_shared_by_many_documents_is_split() {
    compare_with_brute_force(3000);
}

#[test]
#[ignore = "twice the fingerprints"]
fn a_block_shared_by_more_documents_is_split() {
    compare_with_brute_force(6000);
}

/// Compares the pairs of every plan with brute force, on `count` fingerprints that share a block.
fn compare_with_brute_force(count: u64) {
    let all = sharing_a_block(count);
    let expected = brute_force(&all, 3);
    assert!(expected.len() as u64 >= count / 10);
    for plan in PLANS {
        assert_eq!(found(&all, &format!("words | shingles:1 | simhash:64 | blocks:3,{plan} | hamming<=3"), 1000, 1 << 20), expected);
    }
}

#[test]
fn buckets_contain_only_documents_that_are_near_another() {
    let all = sharing_a_block(6000);
    let pass = compile(&"words | shingles:1 | simhash:64 | blocks:3,single | hamming<=3".parse().unwrap()).unwrap();
    let (_, buckets) = arranged(&segments(&slices(&all), &pass, 1000), &pass, 1 << 20);
    assert_eq!(buckets.iter().map(<[DocId]>::len).max(), Some(2));
    // The two of a pair differ in one block, so they share three.
    assert_eq!(buckets.len(), 3 * 600);
}

#[test]
fn the_cap_counts_documents_that_are_near_another() {
    // A family of 50, and strangers that share 16 bits with it. Of the family, six differ from the others in the
    // first block, 21 in the second and 7 in the third.
    let mut all = sharing_a_block(300);
    all.extend((0..50).map(|member: u64| vec![0xabcd | (1 << member) & !0xffff]));
    for over in ["star", "drop"] {
        let line = format!("words | shingles:1 | simhash:64 | blocks:2,single cap=40 over={over} | hamming<=2");
        let pass = compile(&line.parse().unwrap()).unwrap();
        let (arranged, buckets) = arranged(&segments(&slices(&all), &pass, 100), &pass, 1 << 20);
        assert_eq!(arranged.capped.iter().map(|capped| (capped.table, capped.size)).collect::<Vec<_>>(), [(0, 44), (2, 43)]);
        assert_eq!(arranged.capped[0].sample, [300, 301, 302, 303, 304].map(DocId));
        let mut large: Vec<usize> = buckets.iter().map(<[DocId]>::len).filter(|&len| len > 40).collect();
        large.sort_unstable();
        assert_eq!(large, if over == "star" { vec![43, 44] } else { vec![] });
    }
}
