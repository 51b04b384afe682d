//! MinHash: k minima under k permutations (Broder 1997; Broder, Charikar, Frieze, Mitzenmacher 2000).

use super::{SignatureMethod, Values};
use crate::util::splitmix::SplitMix;
use neardup_text::simd::{Kernel, Lanes, Level};
use neardup_text::steps::QuarterSteps;

/// k-slot MinHash over the low 32 bits of the features.
///
/// Slot i contains the minimum over the features x of a_i * x + b_i mod 2^32 with a_i odd. So every slot is a
/// permutation of the 32-bit numbers, and P(slots equal) is close to the resemblance.
#[derive(Clone, Debug)]
pub struct MinHash {
    multipliers: Vec<u32>,
    offsets: Vec<u32>,
}

impl MinHash {
    /// Draws `slots` permutations from `seed`.
    pub fn new(slots: usize, seed: u64) -> Self {
        let mut stream = SplitMix::new(seed);
        let mut draw = || stream.draw() as u32;
        let multipliers = (0..slots).map(|_| draw() | 1).collect();
        let offsets = (0..slots).map(|_| draw()).collect();
        MinHash { multipliers, offsets }
    }

    /// Returns k.
    pub fn slots(&self) -> usize {
        self.multipliers.len()
    }
}

impl SignatureMethod for MinHash {
    /// Writes the minimum of each slot over at least one feature. Between features it runs the steps of `beside`.
    fn sign(&self, level: Level, features: &[u64], beside: &mut impl QuarterSteps, values: &mut Values) {
        values.narrow.resize(self.multipliers.len(), u32::MAX);
        level.run(SlotMinima { minhash: self, features, beside, values: &mut values.narrow });
    }

    fn unpack(&self, words: &[u64]) -> Vec<u64> {
        words.iter().flat_map(|word| [word & u64::from(u32::MAX), word >> 32]).take(self.slots()).collect()
    }
}

struct SlotMinima<'a, B> {
    minhash: &'a MinHash,
    features: &'a [u64],
    beside: &'a mut B,
    values: &'a mut [u32],
}

impl<B: QuarterSteps> Kernel for SlotMinima<'_, B> {
    type Output = ();

    // A block is a number of slots that fit in registers. The fewer slots a block has, the more features it reads
    // between two quarters of a step, so that the steps are spread over all blocks.
    #[inline(always)]
    fn run<L: Lanes>(mut self, _: L) {
        let mut at = 0;
        while at < self.values.len() {
            let left = self.values.len() - at;
            at += match left.min(L::SLOTS) {
                96.. => self.block::<96, 2>(at),
                32.. => self.block::<32, 6>(at),
                16.. => self.block::<16, 12>(at),
                _ => self.block::<1, 12>(at),
            };
        }
    }
}

impl<B: QuarterSteps> SlotMinima<'_, B> {
    /// Computes the minima of `N` slots from slot `at`, with a quarter step before every `Q` features; returns `N`.
    #[inline(always)]
    fn block<const N: usize, const Q: usize>(&mut self, at: usize) -> usize {
        let (mut a, mut b, mut least) = ([0u32; N], [0u32; N], [u32::MAX; N]);
        a.copy_from_slice(&self.minhash.multipliers[at..at + N]);
        b.copy_from_slice(&self.minhash.offsets[at..at + N]);
        let mut take = |feature: u64| {
            let x = feature as u32;
            for i in 0..N {
                least[i] = least[i].min(x.wrapping_mul(a[i]).wrapping_add(b[i]));
            }
        };
        let (quarters, rest) = self.features.as_chunks::<Q>();
        let (steps, more) = quarters.as_chunks::<4>();
        for step in steps {
            for (number, quarter) in step.iter().enumerate() {
                self.beside.quarter(number);
                for &feature in quarter {
                    take(feature);
                }
            }
        }
        for &feature in more.as_flattened().iter().chain(rest) {
            take(feature);
        }
        self.values[at..at + N].copy_from_slice(&least);
        N
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signatures::Signature;
    use proptest::prelude::*;

    fn slow(minhash: &MinHash, features: &[u64]) -> Vec<u32> {
        let slot = |(&a, &b): (&u32, &u32)| features.iter().map(|&x| (x as u32).wrapping_mul(a).wrapping_add(b)).min().unwrap_or(u32::MAX);
        minhash.multipliers.iter().zip(&minhash.offsets).map(slot).collect()
    }

    proptest! {
        #[test]
        fn equals_the_definition(features in proptest::collection::vec(any::<u64>(), 1..60), slots in 1usize..300, seed in any::<u64>()) {
            let minhash = MinHash::new(slots, seed);
            let mut values = Values::default();
            let signature = Signature::MinHash(minhash.clone());
            for level in Level::available() {
                signature.sign(level, &features, &mut (), &mut values);
                prop_assert_eq!(&values.narrow, &slow(&minhash, &features), "{}", level.name());
            }
        }
    }

    #[test]
    fn golden_permutations() {
        let minhash = MinHash::new(3, 0);
        assert_eq!(minhash.multipliers, [0x7b1d_cdaf, 0xa1b9_65f5, 0x8009_454f]);
    }
}
