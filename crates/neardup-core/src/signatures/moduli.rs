//! Features that are 0 mod m: a sample that grows with the document (Broder, Glassman, Manasse, Zweig 1997).

use super::{SignatureMethod, Values};
use crate::sets::parts::SketchPart;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// V: the distinct features that m divides.
///
/// One in m of all 64-bit numbers is kept, to within 2^-64. Whether a feature is kept depends on the feature alone, so
/// the share of kept features that two samples have in common estimates resemblance and containment.
#[derive(Clone, Debug)]
pub struct Moduli {
    /// m as 2^twos times an odd number.
    twos: u32,
    /// The inverse of that odd number, mod 2^64.
    inverse: u64,
    /// The largest quotient by m.
    most: u64,
}

impl Moduli {
    /// Creates a sample by `modulus`, which must be at least 1.
    pub fn new(modulus: u64) -> Self {
        let twos = modulus.trailing_zeros();
        let odd = modulus >> twos;
        // Newton's method; each step doubles the number of correct bits.
        let inverse = (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))));
        Moduli { twos, inverse, most: u64::MAX / modulus }
    }

    /// Whether m divides the feature. Only then the product with the inverse is a quotient by m (Granlund, Montgomery 1994).
    #[inline(always)]
    fn keeps(&self, feature: u64) -> bool {
        feature.wrapping_mul(self.inverse).rotate_right(self.twos) <= self.most
    }
}

impl SignatureMethod for Moduli {
    const IS_SAMPLE: bool = true;

    /// Writes the kept `features`, ascending and distinct.
    fn sign(&self, _: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        values.wide.extend(features.iter().copied().filter(|&feature| self.keeps(feature)));
        values.wide.sort_unstable();
        values.wide.dedup();
    }

    fn leaves_out(&self, sample: SketchPart<'_>, features: u32) -> bool {
        sample.values.len() < features as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signatures::Signature;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_the_definition(
            seeds in proptest::collection::vec(any::<u64>(), 0..200), modulus in prop_oneof![1u64..70, any::<u64>().prop_map(|m| m.max(1))],
        ) {
            // Multiples of the modulus, their neighbours, and arbitrary numbers.
            let around = |seed: &u64| [*seed, seed - seed % modulus, (seed - seed % modulus).wrapping_add(1)];
            let features: Vec<u64> = seeds.iter().flat_map(around).chain([0, u64::MAX, modulus]).collect();
            let mut values = Values { wide: vec![9], ..Values::default() };
            Signature::Moduli(Moduli::new(modulus)).sign(Level::best(), &features, &mut (), &mut values);
            let kept: BTreeSet<u64> = features.into_iter().filter(|feature| feature % modulus == 0).collect();
            prop_assert_eq!(values.wide, kept.into_iter().collect::<Vec<_>>());
        }
    }
}
