//! Cosine of the angle between two weighted vectors (Salton, Wong, Yang 1975). It ignores order and respects frequency.

use crate::sets::vector::Vector;
use crate::util::product;
use crate::util::ratio::Ratio;
use std::cmp::Ordering;

/// Compares the cosine A . B / (|A| |B|) with p/q, exactly.
///
/// Weights are not negative, so the cosine is from 0 to 1: 1 for vectors of the same direction, 0 if no feature is
/// shared. It is 1 for two empty vectors, and 0 for an empty and another one. Both sides are squared to avoid roots: (A
/// . B)^2 q^2 is compared with p^2 |A|^2 |B|^2.
pub fn compare(left: &Vector, right: &Vector, ratio: &Ratio) -> Ordering {
    let Ratio { numerator, denominator } = ratio.reduced();
    let (p, q) = (numerator.into(), denominator.into());
    if left.is_empty() || right.is_empty() {
        return product::compare(&[u128::from(left == right), q], &[p]);
    }
    let dot = left.dot(right);
    product::compare(&[dot, dot, q, q], &[p, p, left.squared_norm(), right.squared_norm()])
}

/// Returns the cosine for display only: no decision may use it.
pub fn value(left: &Vector, right: &Vector) -> f64 {
    if left.is_empty() || right.is_empty() {
        return f64::from(u8::from(left == right));
    }
    let norms = (left.squared_norm() as f64 * right.squared_norm() as f64).sqrt();
    (left.dot(right) as f64 / norms).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::{ratio, vector};
    use num_bigint::BigUint;
    use proptest::prelude::*;

    /// The same comparison with numbers of any size, feature by feature.
    fn slow(left: &Vector, right: &Vector, ratio: &Ratio) -> Ordering {
        let at =
            |vector: &Vector, feature| BigUint::from(vector.entries().iter().find(|entry| entry.0 == feature).map_or(0, |entry| entry.1));
        let dot = |one: &Vector, two: &Vector| (0..12).map(|feature| at(one, feature) * at(two, feature)).sum::<BigUint>();
        let (whole, part) = (dot(left, left) * dot(right, right), dot(left, right).pow(2));
        let (part, whole) = match (left.is_empty(), right.is_empty()) {
            (true, true) => (BigUint::from(1u8), BigUint::from(1u8)),
            (false, false) => (part, whole),
            _ => (BigUint::from(0u8), BigUint::from(1u8)),
        };
        (part * BigUint::from(ratio.denominator).pow(2)).cmp(&(whole * BigUint::from(ratio.numerator).pow(2)))
    }

    proptest! {
        #[test]
        fn compares_as_exact_numbers_do(left in vector(), right in vector(), ratio in ratio()) {
            prop_assert_eq!(compare(&left, &right, &ratio), slow(&left, &right, &ratio));
        }

        #[test]
        fn is_symmetric_and_between_0_and_1(left in vector(), right in vector(), ratio in ratio(), times in 1u64..100) {
            prop_assert_eq!(compare(&left, &right, &ratio), compare(&right, &left, &ratio));
            prop_assert_ne!(compare(&left, &right, &Ratio::ONE), Ordering::Greater);
            prop_assert_ne!(compare(&left, &right, &Ratio::ZERO), Ordering::Less);
            // Only the angle counts: a repeated text equals the text.
            let small = left.weighed(|_, weight| weight % 1000);
            prop_assert_eq!(compare(&small, &small.weighed(|_, weight| weight * times), &Ratio::ONE), Ordering::Equal);
            let value = value(&left, &right);
            prop_assert!((0.0..=1.0).contains(&value));
            // If the value is far from the number, floats give the same result.
            match value - ratio.approximate() {
                above if above > 1e-9 => prop_assert_eq!(compare(&left, &right, &ratio), Ordering::Greater),
                below if below < -1e-9 => prop_assert_eq!(compare(&left, &right, &ratio), Ordering::Less),
                _ => {}
            }
        }

        #[test]
        fn ignores_order_and_minds_frequency(features in proptest::collection::vec(0u64..9, 1..40)) {
            let reversed: Vec<u64> = features.iter().rev().copied().collect();
            let more: Vec<u64> = features.iter().chain(&features[..1]).copied().collect();
            let [left, same, other] = [features, reversed, more].map(|features| Vector::counts(&features));
            prop_assert_eq!(compare(&left, &same, &Ratio::ONE), Ordering::Equal);
            let one_kind = left.entries().len() == 1;
            prop_assert_eq!(compare(&left, &other, &Ratio::ONE).is_eq(), one_kind);
        }
    }

    #[test]
    fn the_number_itself_is_met_whatever_the_size() {
        let ratio = Ratio { numerator: 3, denominator: 5 };
        for scale in [1, 1 << 20, (1 << 32) / 5] {
            // The 3-4-5 triangle, once for each feature.
            let left: Vector = (0..1 << 12).map(|feature| (feature, 5 * scale)).collect();
            let (leg, other) = (3 * scale, 4 * scale);
            let right: Vector = (0..1 << 12).flat_map(|feature| [(feature, leg), (feature + (1 << 12), other)]).collect();
            assert_eq!(compare(&left, &right, &ratio), Ordering::Equal);
            let less = right.weighed(|feature, weight| weight - u64::from(feature == 0));
            let more = right.weighed(|feature, weight| weight - u64::from(feature == 1 << 12));
            assert_eq!((compare(&left, &less, &ratio), compare(&left, &more, &ratio)), (Ordering::Less, Ordering::Greater));
        }
    }
}
