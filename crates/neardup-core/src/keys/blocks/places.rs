//! Places: a selection of the bits of a fingerprint.

use crate::keys::bands::{START, fold};
use std::ops::Range;

/// Places of bits, as ascending disjoint runs. Bit i of a fingerprint is bit i mod 64 of word i / 64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitRuns(Vec<Range<usize>>);

impl BitRuns {
    /// Returns all places of a fingerprint of `bits` bits.
    pub fn all(bits: usize) -> Self {
        BitRuns(std::iter::once(0..bits).collect())
    }

    /// Returns the number of places.
    pub fn count(&self) -> usize {
        self.0.iter().map(Range::len).sum()
    }

    /// Cuts these places into `parts` consecutive blocks of equal width. If that does not divide evenly, the first blocks
    /// are one bit wider: 64 bits in 5 blocks are 13, 13, 13, 13 and 12.
    pub fn cut(&self, parts: usize) -> Vec<BitRuns> {
        let (width, wider) = (self.count() / parts, self.count() % parts);
        let mut runs = self.0.iter().cloned();
        let mut run = 0..0;
        let mut block = |mut width: usize| {
            let mut block = Vec::new();
            while width > 0 {
                if run.is_empty() {
                    run = runs.next().unwrap_or(0..width);
                }
                let end = run.end.min(run.start + width);
                width -= end - run.start;
                block.push(run.start..end);
                run.start = end;
            }
            BitRuns(block)
        };
        (0..parts).map(|part| block(width + usize::from(part < wider))).collect()
    }

    /// Returns these places together with those of `other`, which must be disjoint.
    pub fn and(&self, other: &BitRuns) -> BitRuns {
        let mut runs = [&self.0[..], &other.0].concat();
        runs.sort_unstable_by_key(|run| run.start);
        BitRuns(runs)
    }

    /// Returns these places without those of `other`.
    pub fn without(&self, other: &BitRuns) -> BitRuns {
        let mut left = self.0.clone();
        for taken in &other.0 {
            let split = |run: Range<usize>| [run.start..run.end.min(taken.start), run.start.max(taken.end)..run.end];
            left = left.into_iter().flat_map(split).filter(|run| !run.is_empty()).collect();
        }
        BitRuns(left)
    }

    /// Returns the bits at these places as a key. Up to 32 places, different bits have different keys. With more places,
    /// they collide with probability 2^-32.
    #[inline]
    pub fn key(&self, fingerprint: &[u64]) -> u32 {
        if self.count() > 32 {
            return (self.hash(fingerprint) >> 32) as u32;
        }
        let packed = self.words(fingerprint).fold(0u64, |packed, (bits, width)| packed << width | bits);
        // An odd factor keeps different keys different and spreads them over all 32 bits.
        (packed as u32).wrapping_mul(0x9E37_79B1)
    }

    /// Returns the bits at these places, hashed to 64 bits.
    pub fn hash(&self, fingerprint: &[u64]) -> u64 {
        self.words(fingerprint).fold(START, |hash, (bits, _)| fold(hash, bits))
    }

    /// Returns the bits run by run and word by word, each with their number.
    fn words<'a>(&'a self, fingerprint: &'a [u64]) -> impl Iterator<Item = (u64, usize)> + 'a {
        self.0.iter().flat_map(move |run| {
            (run.start / 64..run.end.div_ceil(64)).map(move |word| {
                let (from, to) = (run.start.max(64 * word) % 64, run.end.min(64 * word + 64) - 64 * word);
                (fingerprint[word] << (64 - to) >> (64 - to + from), to - from)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn listed(places: &BitRuns) -> Vec<usize> {
        places.0.iter().flat_map(Range::clone).collect()
    }

    /// Disjoint places: every other interval between the cuts.
    fn some(cuts: BTreeSet<usize>) -> BitRuns {
        let cuts: Vec<usize> = cuts.into_iter().collect();
        BitRuns(cuts.as_chunks::<2>().0.iter().map(|&[start, end]| start..end).collect())
    }

    fn cuts() -> impl Strategy<Value = BitRuns> {
        proptest::collection::btree_set(0usize..=192, 2..8).prop_map(some)
    }

    #[test]
    fn uneven_widths() {
        let widths = |bits, parts| BitRuns::all(bits).cut(parts).iter().map(BitRuns::count).collect::<Vec<_>>();
        assert_eq!(widths(64, 5), [13, 13, 13, 13, 12]);
        assert_eq!(widths(64, 4), [16; 4]);
        assert_eq!(widths(64, 6), [11, 11, 11, 11, 10, 10]);
        assert_eq!(widths(128, 3), [43, 43, 42]);
    }

    proptest! {
        #[test]
        fn cutting_takes_and_joining_gives_back(places in cuts(), parts in 1usize..9) {
            let blocks = places.cut(parts);
            prop_assert_eq!(blocks.iter().flat_map(listed).collect::<Vec<_>>(), listed(&places));
            let widths: Vec<usize> = blocks.iter().map(BitRuns::count).collect();
            prop_assert!(widths.is_sorted_by(|left, right| left >= right) && widths[0] - widths[parts - 1] <= 1);
            let joined = blocks.iter().fold(BitRuns(Vec::new()), |all, block| all.and(block));
            prop_assert_eq!(listed(&joined), listed(&places));
        }

        #[test]
        fn taking_away_like_sets(places in cuts(), other in cuts()) {
            let taken: BTreeSet<usize> = listed(&other).into_iter().collect();
            let left: Vec<usize> = listed(&places).into_iter().filter(|place| !taken.contains(place)).collect();
            prop_assert_eq!(listed(&places.without(&other)), left);
        }

        #[test]
        fn keys_are_equal_when_the_bits_are(places in cuts(), left in any::<[u64; 3]>(), flips in proptest::collection::vec(0usize..192, 0..4)) {
            let mut right = left;
            flips.iter().for_each(|&bit| right[bit / 64] ^= 1 << (bit % 64));
            let bits = |fingerprint: &[u64; 3]| listed(&places).iter().map(|&bit| fingerprint[bit / 64] >> (bit % 64) & 1).collect::<Vec<_>>();
            // Keys of more than 32 bits may be equal by chance, but not here.
            prop_assert_eq!(places.key(&left) == places.key(&right), bits(&left) == bits(&right));
        }
    }

    #[test]
    fn packed_keys_are_exact() {
        let places = some([3, 9, 62, 67].into());
        let key = |number: u64| places.key(&[(number & 63) << 3 | (number >> 6 & 3) << 62, number >> 8 & 7]);
        let keys: BTreeSet<u32> = (0..1 << 11).map(key).collect();
        assert_eq!(keys.len(), 1 << 11);
    }
}
