//! Times the search for all pairs of near fingerprints, step by step, with every plan of blocks.
//!
//! Usage: `fingerprints [DOCUMENTS] [DISTANCE] [BITS] [ROUNDS]`, by default 1,000,000, 3, 64 and 5. Fingerprints are random,
//! except for one in ten, which is in a family of up to eight within DISTANCE bits of their first. In the second set another
//! tenth shares its first 16 bits, as in spam. Numbers are seconds, the best of all rounds, with one thread for each core.
//! The pairs are compared with brute force on a sample, and with the families.

use neardup_core::candidates::arrange::arrange;
use neardup_core::candidates::buckets::Buckets;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::compile::compile;
use neardup_core::decide::compare::Comparer;
use neardup_core::decide::pairs::{Pair, score};
use neardup_core::keys::TablePlan;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::ignored_keys::Ignored;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::{DocId, Rank};
use std::time::Instant;
use support::{OneWord, segments};
use unwatched::Unwatched;

#[path = "../tests/suite/support/fingerprints.rs"]
mod support;
#[path = "../tests/suite/support/unwatched.rs"]
mod unwatched;

/// Documents in one segment.
const SEGMENT: usize = 1 << 16;
/// Documents in the sample that is compared by brute force.
const SAMPLE: usize = 1 << 13;
/// Memory budget of the arrange step, in bytes.
const MEMORY: usize = 1 << 30;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<usize> = std::env::args().skip(1).map(|argument| argument.parse()).collect::<Result<_, _>>()?;
    let setting = |at: usize, default: usize| given.get(at).copied().unwrap_or(default);
    let (documents, distance, bits, rounds) = (setting(0, 1_000_000), setting(1, 3), setting(2, 64), setting(3, 5));
    println!("{:<10}{:<8}{:>8}{:>9}{:>11}{:>8}{:>8}{:>12}", "seconds", "plan", "tables", "arrange", "candidates", "score", "all", "pairs");
    for (name, skewed) in [("random", false), ("skewed", true)] {
        let set = Set::new(documents, distance as u32, bits / 64, skewed);
        let fingerprints: Vec<&[u64]> = set.fingerprints.chunks(set.words).collect();
        for plan in TablePlan::ALL {
            let signature = if bits <= 128 { "simhash" } else { "projection" };
            let line = format!("words | shingles:1 | {signature}:{bits} | blocks:{distance},{} | hamming<={distance}", plan.name());
            let pass = compile(&line.parse()?)?;
            let segments = segments(&fingerprints, &pass, SEGMENT);
            let runs: Vec<Run> = (0..rounds).map(|_| Run::new(&segments, &pass)).collect::<Result<_, _>>()?;
            runs.iter().for_each(|run| set.check(&run.pairs));
            let best = |step: fn(&Run) -> f64| runs.iter().map(step).fold(f64::MAX, f64::min);
            println!(
                "{name:<10}{:<8}{:>8}{:>9.3}{:>11.3}{:>8.3}{:>8.3}{:>12}",
                plan.name(),
                pass.kinds[0].keys.tables(),
                best(|run| run.seconds[0]),
                best(|run| run.seconds[1]),
                best(|run| run.seconds[2]),
                best(|run| run.seconds.iter().sum()),
                runs[0].pairs.len()
            );
        }
    }
    Ok(())
}

/// Generated fingerprints, stored one after another, with the pairs that must be found.
struct Set {
    distance: u32,
    words: usize,
    fingerprints: Vec<u64>,
    /// Pairs that are near by construction: the first of a family, and another member.
    families: Vec<(DocId, DocId)>,
}

impl Set {
    fn new(documents: usize, distance: u32, words: usize, skewed: bool) -> Self {
        let mut random = Random(7);
        let mut set = Set { distance, words, fingerprints: Vec::new(), families: Vec::new() };
        for document in 0..documents as u32 {
            let from = set.fingerprints.len();
            if document % 10 == 1 && document > 80 {
                // A multiple of 80 before it, so that families spread over segments.
                let first = (document / 80 - 1) * 80;
                set.fingerprints.extend_from_within(first as usize * words..(first as usize + 1) * words);
                for _ in 0..random.below(u64::from(distance) + 1) {
                    let bit = random.below(64 * words as u64) as usize;
                    set.fingerprints[from + bit / 64] ^= 1 << (bit % 64);
                }
                set.families.push((DocId(first), DocId(document)));
                continue;
            }
            set.fingerprints.extend((0..words).map(|_| random.next()));
            if skewed && document % 10 == 2 {
                set.fingerprints[from] = set.fingerprints[from] & !0xffff | 0xabcd;
            }
        }
        set
    }

    fn get(&self, document: DocId) -> &[u64] {
        &self.fingerprints[document.index() * self.words..][..self.words]
    }

    fn is_near(&self, left: DocId, right: DocId) -> bool {
        self.get(left).iter().zip(self.get(right)).map(|(l, r)| (l ^ r).count_ones()).sum::<u32>() <= self.distance
    }

    /// Panics if a near pair is missing, or a pair is not near.
    fn check(&self, pairs: &[(DocId, DocId)]) {
        assert!(pairs.iter().all(|&(left, right)| left < right && self.is_near(left, right)), "not near");
        assert!(self.families.iter().all(|pair| pairs.binary_search(pair).is_ok()), "a family is torn");
        let sample = SAMPLE.min(self.fingerprints.len() / self.words);
        let near = DocId::first(sample)
            .flat_map(|left| DocId::first(sample).skip(left.index() + 1).map(move |right| (left, right)))
            .filter(|&(left, right)| self.is_near(left, right));
        let found: Vec<_> = pairs.iter().copied().filter(|&(_, right)| right.index() < sample).collect();
        assert_eq!(found, near.collect::<Vec<_>>());
    }
}

/// One run: the seconds of each step, and the pairs in ascending order.
struct Run {
    seconds: [f64; 3],
    pairs: Vec<(DocId, DocId)>,
}

impl Run {
    fn new(segments: &Segments, pass: &CompiledPass) -> Result<Self, Box<dyn std::error::Error>> {
        let start = Instant::now();
        let arranged = arrange(segments, pass, &|_| true, MEMORY)?;
        let arranging = start.elapsed();
        let buckets = Buckets::load(segments.store(), &arranged.parts)?;
        let candidates = Candidates::new(segments, &buckets, &Ignored::default(), &|document| Rank(document.0))?;
        let numbering = start.elapsed();
        let comparer = Comparer::new(&candidates, pass, &OneWord, 1 << 24);
        let mut pairs = Vec::new();
        let mut take = |found: Vec<Pair>| -> neardup_core::Result<()> {
            pairs.extend(found.iter().map(|pair| (candidates.documents[pair.left.index()], candidates.documents[pair.right.index()])));
            Ok(())
        };
        score(&candidates, &comparer, &|_, _| true, usize::MAX, &Unwatched, &mut take)?;
        let all = start.elapsed();
        pairs.sort_unstable();
        Ok(Run { seconds: [arranging, numbering - arranging, all - numbering].map(|time| time.as_secs_f64()), pairs })
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
