//! SimHash: the sign of a weighted sum for each bit (Charikar 2002; Manku, Jain, Das Sarma 2007).

use super::signs::{SignBits, Signs};
use super::{SignatureMethod, Values};
use crate::terms::weigher::Weigher;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// A fingerprint of `bits` bits. Bit i is 1 if the sum over the features is at least 0, where a feature adds its weight
/// if bit i of its hash is 1 and subtracts it otherwise.
///
/// Bits 0 to 63 of the hash are the feature itself, which is well mixed. Bits 64 to 127 are mixed from it by one
/// multiplication.
#[derive(Clone, Debug)]
pub struct SimHash {
    /// f: 64 or 128.
    pub bits: usize,
    /// The weights of features.
    pub weigher: Weigher,
}

impl SignatureMethod for SimHash {
    /// Writes f / 64 words; the first contains bits 0 to 63.
    fn sign(&self, level: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        let Values { wide, set, weights, .. } = values;
        let (features, weights) = self.weigher.weighed(features, set, weights);
        Signs { features, weights, bits: Hashes, ties: true }.append(level, self.bits / 64, wide);
    }
}

#[derive(Clone, Copy)]
struct Hashes;

impl SignBits for Hashes {
    #[inline(always)]
    fn words<const N: usize>(self, feature: u64, at: usize) -> [u64; N] {
        std::array::from_fn(|i| if at + i == 0 { feature } else { second(feature) })
    }
}

/// Returns bits 64 to 127 of the hash of a feature.
#[inline(always)]
fn second(feature: u64) -> u64 {
    let product = u128::from(feature ^ 0x9E37_79B9_7F4A_7C15) * 0xE703_7ED1_A0B4_28DB_u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn fingerprint(features: &[u64], bits: usize, distinct: bool) -> Vec<u64> {
        let mut values = Values::default();
        SimHash { bits, weigher: if distinct { Weigher::One } else { Weigher::Frequency } }.sign(
            Level::best(),
            features,
            &mut (),
            &mut values,
        );
        values.wide
    }

    proptest! {
        #[test]
        fn equals_the_definition(features in proptest::collection::vec(0u64..40, 1..90), wide in any::<bool>(), distinct in any::<bool>()) {
            let features: Vec<u64> = features.iter().map(|&feature| second(feature)).collect();
            let counted = if distinct { features.iter().copied().collect::<BTreeSet<u64>>().into_iter().collect() } else { features.clone() };
            let hash = |feature: u64| u128::from(second(feature)) << 64 | u128::from(feature);
            let sum = |bit: usize| counted.iter().map(|&feature| if hash(feature) >> bit & 1 == 1 { 1 } else { -1 }).sum::<i64>();
            let bits = if wide { 128 } else { 64 };
            let slow = (0..bits).fold(0u128, |word, bit| word | u128::from(sum(bit) >= 0) << bit);
            let expected = [slow as u64, (slow >> 64) as u64];
            prop_assert_eq!(fingerprint(&features, bits, distinct), &expected[..bits / 64]);
        }
    }

    #[test]
    fn golden_fingerprint() {
        let features: Vec<u64> = (1..=9).map(second).collect();
        assert_eq!(fingerprint(&features, 128, true), [0x5149_728d_efcc_f284, 0xc997_a8cd_9d77_87b5]);
    }

    #[test]
    fn the_halves_are_independent() {
        // Bit i of one half and bit j of the other agree for half of all features, within 6 standard deviations.
        let count = 1u64 << 14;
        let features: Vec<u64> = (0..count).map(|number| second(second(number))).collect();
        for turn in 0..64 {
            for bit in 0..64 {
                let agree = features.iter().filter(|&&feature| (feature.rotate_right(turn) ^ second(feature)) >> bit & 1 == 0).count();
                assert!(agree.abs_diff(count as usize / 2) < 6 * 64, "{bit} {turn}: {agree}");
            }
        }
    }
}
