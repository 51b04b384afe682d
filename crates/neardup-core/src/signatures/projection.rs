//! Random projection: the side of random hyperplanes on which a document is (Charikar 2002; Henzinger 2006).

use super::signs::{SignBits, Signs};
use super::{SignatureMethod, Values};
use crate::terms::weigher::Weigher;
use crate::util::splitmix::SplitMix;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// For every feature, `bits` values of +1 or -1 are drawn, the same in all documents. Bit i is 1 if the sum of the
/// values at i, each times the weight of its feature, is above 0.
///
/// Two documents at an angle t agree in a bit with probability 1 - t / pi. Word i of a feature contains 64 signs, with
/// 1 for +1. It is output i of SplitMix64, started at the feature xor a key that is drawn from the seed.
#[derive(Clone, Debug)]
pub struct Projection {
    words: usize,
    key: u64,
    weigher: Weigher,
}

impl Projection {
    /// Draws the directions of `bits` bits, a multiple of 64, from `seed`. `weigher` returns the weights of features.
    pub fn new(bits: usize, seed: u64, weigher: Weigher) -> Self {
        Projection { words: bits / 64, key: SplitMix::new(seed).draw(), weigher }
    }
}

impl SignatureMethod for Projection {
    /// Writes b / 64 words; the first contains bits 0 to 63.
    fn sign(&self, level: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        let Values { wide, set, weights, .. } = values;
        let (features, weights) = self.weigher.weighed(features, set, weights);
        Signs { features, weights, bits: Streams { key: self.key }, ties: false }.append(level, self.words, wide);
    }
}

#[derive(Clone, Copy)]
struct Streams {
    key: u64,
}

impl SignBits for Streams {
    #[inline(always)]
    fn words<const N: usize>(self, feature: u64, at: usize) -> [u64; N] {
        let start = (feature ^ self.key).wrapping_add(STEP.wrapping_mul(at as u64));
        std::array::from_fn(|i| SplitMix::new(start.wrapping_add(STEP.wrapping_mul(i as u64))).draw())
    }
}

/// Difference between consecutive states of SplitMix64.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn weigher(distinct: bool) -> Weigher {
        if distinct { Weigher::One } else { Weigher::Frequency }
    }

    fn bits(features: &[u64], projection: &Projection) -> Vec<u64> {
        let mut values = Values::default();
        projection.sign(Level::best(), features, &mut (), &mut values);
        values.wide
    }

    fn mixed(number: u64) -> u64 {
        SplitMix::new(number).draw()
    }

    proptest! {
        #[test]
        fn equals_the_definition(features in proptest::collection::vec(0u64..40, 1..90), words in 1usize..17, seed in any::<u64>(), distinct in any::<bool>()) {
            let features: Vec<u64> = features.iter().map(|&feature| mixed(feature)).collect();
            let counted = if distinct { features.iter().copied().collect::<BTreeSet<u64>>().into_iter().collect() } else { features.clone() };
            let mut sums = vec![0i64; 64 * words];
            for feature in counted {
                let mut stream = SplitMix::new(feature ^ mixed(seed));
                for word in sums.chunks_mut(64) {
                    let signs = stream.draw();
                    word.iter_mut().enumerate().for_each(|(bit, sum)| *sum += if signs >> bit & 1 == 1 { 1 } else { -1 });
                }
            }
            let slow: Vec<u64> = sums.chunks(64).map(|word| (0..64).map(|bit| u64::from(word[bit] > 0) << bit).sum()).collect();
            prop_assert_eq!(bits(&features, &Projection::new(64 * words, seed, weigher(distinct))), slow);
        }
    }

    #[test]
    fn golden_bits() {
        let features: Vec<u64> = (1..=9).map(mixed).collect();
        assert_eq!(bits(&features, &Projection::new(128, 0, Weigher::One)), [0xd88d_3608_0cb2_2c64, 0x33ce_3b86_a4b2_fb75]);
    }

    #[test]
    fn agreement_tells_the_angle() {
        // Two thirds of 90 terms are in common: the cosine is 2/3, and the angle 0.268 pi.
        let projection = Projection::new(1024, 7, Weigher::One);
        let pairs = 200;
        let agree: u32 = (0..pairs)
            .map(|pair| {
                let terms = |from: u64| (from..from + 90).map(|term| mixed(1000 * pair + term)).collect::<Vec<_>>();
                let (left, right) = (bits(&terms(0), &projection), bits(&terms(30), &projection));
                left.iter().zip(right).map(|(l, r)| (!(l ^ r)).count_ones()).sum::<u32>()
            })
            .sum();
        let share = f64::from(agree) / (1024 * pairs) as f64;
        let expected = 1.0 - (2.0f64 / 3.0).acos() / std::f64::consts::PI;
        assert!((share - expected).abs() < 0.01, "{share} {expected}");
    }
}
