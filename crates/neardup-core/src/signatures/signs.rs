//! Signs: for each bit, the sign of a sum over features, in which a feature with a 1 adds its weight and a feature with
//! a 0 subtracts it.
//!
//! With n the sum of all weights and `ones` the sum of those with a 1, this sum is 2 * ones - n: it is enough to count ones.

use neardup_text::simd::{Kernel, Lanes, Level};

/// The bits that represent a feature.
pub trait SignBits: Copy {
    /// Returns words `at` to `at + N` of the bits. Must be `#[inline(always)]`, like everything that a kernel calls.
    fn words<const N: usize>(self, feature: u64, at: usize) -> [u64; N];
}

/// The input of the sums, and the form of the signs.
pub struct Signs<'a, B> {
    /// The features.
    pub features: &'a [u64],
    /// The weights of the features, as many as features; `None` if all weigh the same.
    pub weights: Option<&'a [u32]>,
    /// The bits of a feature.
    pub bits: B,
    /// Whether the bit of a sum of 0 is 1.
    pub ties: bool,
}

impl<B: SignBits> Signs<'_, B> {
    /// Appends `words` words to `out`; the first contains bits 0 to 63, the lowest bit first.
    pub fn append(self, level: Level, words: usize, out: &mut Vec<u64>) {
        level.run(Append { signs: self, words, out });
    }
}

struct Append<'a, 'o, B> {
    signs: Signs<'a, B>,
    words: usize,
    out: &'o mut Vec<u64>,
}

impl<B: SignBits> Kernel for Append<'_, '_, B> {
    type Output = ();

    // A block is a number of words that fill the registers. Every block reads all features.
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let mut at = 0;
        while at < self.words {
            at += match self.words - at {
                8.. => self.signs.block::<8>(at, self.out),
                6.. => self.signs.block::<6>(at, self.out),
                4.. => self.signs.block::<4>(at, self.out),
                2.. => self.signs.block::<2>(at, self.out),
                _ => self.signs.block::<1>(at, self.out),
            };
        }
    }
}

impl<B: SignBits> Signs<'_, B> {
    /// Appends `N` words from word `at`; returns `N`.
    #[inline(always)]
    fn block<const N: usize>(&self, at: usize, out: &mut Vec<u64>) -> usize {
        let mut ones = [[0u64; 64]; N];
        let total = match self.weights {
            None => {
                for part in self.features.chunks(MOST) {
                    Planes::<N>::of(part, |feature| self.bits.words(feature, at)).add_to(&mut ones);
                }
                self.features.len() as u64
            }
            Some(weights) => {
                for (&feature, &weight) in self.features.iter().zip(weights) {
                    add(&mut ones, self.bits.words(feature, at), u64::from(weight));
                }
                weights.iter().map(|&weight| u64::from(weight)).sum()
            }
        };
        // Fewer than 2^32 weights of less than 2^32 each, so 64 bits are enough for the sum.
        let least = total / 2 + u64::from(total % 2 == 1 || !self.ties);
        for ones in &ones {
            let mut word = 0;
            for (bit, &ones) in ones.iter().enumerate() {
                word |= u64::from(ones >= least) << bit;
            }
            out.push(word);
        }
        N
    }
}

/// Adds `weight` to the count of every bit that is set.
#[inline(always)]
fn add<const N: usize>(ones: &mut [[u64; 64]; N], words: [u64; N], weight: u64) {
    for (ones, word) in ones.iter_mut().zip(words) {
        for (bit, count) in ones.iter_mut().enumerate() {
            *count += (word >> bit & 1) * weight;
        }
    }
}

/// The most features that are counted in planes at once: less than 2^DEPTH.
const MOST: usize = (1 << DEPTH) - 8;
const DEPTH: usize = 16;

/// Transposed counts: bit i of plane p is bit p of the number of ones at bit i.
struct Planes<const N: usize>([[u64; N]; DEPTH]);

impl<const N: usize> Planes<N> {
    /// Counts eight features at a time by a tree of adders (Harley and Seal, in Warren: Hacker's Delight, 5-1).
    #[inline(always)]
    fn of(features: &[u64], words: impl Fn(u64) -> [u64; N]) -> Self {
        let mut planes = [[0; N]; DEPTH];
        let [mut ones, mut twos, mut fours] = [[0; N]; 3];
        let (eights, rest) = features.as_chunks::<8>();
        for (number, eight) in eights.iter().enumerate() {
            let mut pair = |at: usize| carry(&mut ones, words(eight[at]), words(eight[at + 1]));
            let (first, second, third, fourth) = (pair(0), pair(2), pair(4), pair(6));
            let (first, second) = (carry(&mut twos, first, second), carry(&mut twos, third, fourth));
            let mut eight = carry(&mut fours, first, second);
            // After this step, a bit was counted in at most `number + 1` eights, so `depth` planes are enough.
            let depth = (usize::BITS - (number + 1).leading_zeros()) as usize;
            for plane in &mut planes[3..3 + depth] {
                for (plane, eight) in plane.iter_mut().zip(&mut eight) {
                    (*plane, *eight) = (*plane ^ *eight, *plane & *eight);
                }
            }
        }
        (planes[0], planes[1], planes[2]) = (ones, twos, fours);
        for &feature in rest {
            let mut one = words(feature);
            for plane in &mut planes {
                for (plane, one) in plane.iter_mut().zip(&mut one) {
                    (*plane, *one) = (*plane ^ *one, *plane & *one);
                }
            }
        }
        Planes(planes)
    }

    #[inline(always)]
    fn add_to(&self, ones: &mut [[u64; 64]; N]) {
        for (number, &plane) in self.0.iter().enumerate() {
            if plane != [0; N] {
                add(ones, plane, 1 << number);
            }
        }
    }
}

/// Adds two more words to `sum`; returns the carry, in which each bit counts twice.
#[inline(always)]
fn carry<const N: usize>(sum: &mut [u64; N], left: [u64; N], right: [u64; N]) -> [u64; N] {
    let mut carry = [0; N];
    for i in 0..N {
        let both = sum[i] ^ left[i];
        carry[i] = (sum[i] & left[i]) | (both & right[i]);
        sum[i] = both ^ right[i];
    }
    carry
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Word i is the feature rotated by i bits.
    #[derive(Clone, Copy)]
    struct Turned;

    impl SignBits for Turned {
        #[inline(always)]
        fn words<const N: usize>(self, feature: u64, at: usize) -> [u64; N] {
            std::array::from_fn(|i| feature.rotate_left((at + i) as u32))
        }
    }

    /// The definition, with signed sums.
    fn slow(features: &[u64], weights: Option<&[u32]>, words: usize, ties: bool) -> Vec<u64> {
        let weight = |at: usize| i128::from(weights.map_or(1, |weights| weights[at]));
        let bit = |word: u64, bit: u64| {
            let signed =
                |(at, feature): (usize, &u64)| if feature.rotate_left(word as u32) >> bit & 1 == 1 { weight(at) } else { -weight(at) };
            let sum: i128 = features.iter().enumerate().map(signed).sum();
            u64::from(if ties { sum >= 0 } else { sum > 0 })
        };
        (0..words as u64).map(|word| (0..64).map(|at| bit(word, at) << at).sum()).collect()
    }

    fn check(features: &[u64], weights: Option<&[u32]>, words: usize, ties: bool) {
        let expected = slow(features, weights, words, ties);
        for level in Level::available() {
            let mut out = vec![7];
            Signs { features, weights, bits: Turned, ties }.append(level, words, &mut out);
            assert_eq!(out[1..], expected, "{}", level.name());
        }
    }

    proptest! {
        #[test]
        fn equals_the_definition(features in proptest::collection::vec(any::<(u64, u32)>(), 1..80), words in 1usize..17, ties in any::<bool>(), shift in 0u32..32) {
            let (features, weights): (Vec<u64>, Vec<u32>) = features.into_iter().map(|(feature, weight)| (feature, weight >> shift)).unzip();
            check(&features, None, words, ties);
            check(&features, Some(&weights), words, ties);
        }

        #[test]
        fn ties_are_decided_as_told(half in proptest::collection::vec(any::<u64>(), 1..40), ties in any::<bool>()) {
            // Every bit is 1 as often as 0.
            let features: Vec<u64> = half.iter().flat_map(|&feature| [feature, !feature]).collect();
            check(&features, None, 2, ties);
            check(&features, Some(&vec![u32::MAX; features.len()]), 2, ties);
        }
    }

    #[test]
    fn more_features_than_planes_count_at_once() {
        let features: Vec<u64> = (0..MOST as u64 + 9).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        check(&features, None, 1, true);
        check(&vec![u64::MAX; MOST], None, 1, false);
    }
}
