//! A fingerprint that was computed elsewhere is its own signature.

use super::{SignatureMethod, Values};
use crate::features::bits::code;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// Restores the words of a fingerprint from the features of its bits.
#[derive(Clone, Debug)]
pub struct GivenFingerprint;

impl SignatureMethod for GivenFingerprint {
    /// Writes f / 64 words; the first contains bits 0 to 63.
    fn sign(&self, _: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        let word = |(word, features): (usize, &[u64])| {
            let bit = |(at, &feature): (usize, &u64)| u64::from(feature == code(64 * word + at, true)) << at;
            features.iter().enumerate().map(bit).sum::<u64>()
        };
        values.wide.extend(features.chunks(64).enumerate().map(word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::bits::Bits;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_come_back(words in proptest::collection::vec(any::<u64>(), 1..3), other in any::<u64>()) {
            let (mut features, mut values) = (Vec::new(), Values::default());
            let bits = Bits { bits: 64 * words.len() };
            bits.extract(&words, &mut features);
            GivenFingerprint.sign(Level::best(), &features, &mut (), &mut values);
            prop_assert_eq!(&values.wide, &words);
            let (mut near, mut changed) = (Vec::new(), words.clone());
            changed[0] = other;
            bits.extract(&changed, &mut near);
            let shared = near.iter().filter(|feature| features.contains(feature)).count() as u32;
            prop_assert_eq!(shared, bits.bits as u32 - (words[0] ^ other).count_ones());
            features.clear();
            bits.extract(&[&words[..], &[1]].concat(), &mut features);
            prop_assert!(features.is_empty() || words.len() == 1);
        }
    }
}
