//! SIM, the measure of two keyword vectors in Tianwang (Peking University). It ignores order and respects frequency.

use crate::sets::vector::Vector;
use crate::util::product;
use crate::util::ratio::Ratio;
use std::cmp::Ordering;

/// Returns |A - B|^2 / (|A|^2 + |B|^2), a distance: 0 for equal vectors, 1 for orthogonal ones, and never more; 0/1 for
/// two empty ones.
///
/// It depends on length as well as angle: the distance of A and 2A is 1/5.
pub fn fraction(left: &Vector, right: &Vector) -> (u128, u128) {
    match left.squared_norm() + right.squared_norm() {
        0 => (0, 1),
        whole => (left.squared_distance(right), whole),
    }
}

/// Compares SIM with p/q, exactly.
pub fn compare(left: &Vector, right: &Vector, ratio: &Ratio) -> Ordering {
    let (part, whole) = fraction(left, right);
    product::compare(&[part, ratio.denominator.into()], &[whole, ratio.numerator.into()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::{ratio, vector};
    use num_bigint::BigUint;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_what_it_says(left in vector(), right in vector(), ratio in ratio()) {
            let at = |vector: &Vector, feature| u128::from(vector.entries().iter().find(|entry| entry.0 == feature).map_or(0, |entry| entry.1));
            let sum = |term: &dyn Fn(u64) -> u128| (0..12).map(term).sum::<u128>();
            let part = sum(&|feature| at(&left, feature).abs_diff(at(&right, feature)).pow(2));
            let whole = sum(&|feature| at(&left, feature).pow(2) + at(&right, feature).pow(2));
            let expected = if whole == 0 { (0, 1) } else { (part, whole) };
            prop_assert_eq!(fraction(&left, &right), expected);
            let (part, whole) = expected;
            let exact = (BigUint::from(part) * ratio.denominator).cmp(&(BigUint::from(whole) * ratio.numerator));
            prop_assert_eq!(compare(&left, &right, &ratio), exact);
        }

        #[test]
        fn is_symmetric_and_between_0_and_1(left in vector(), right in vector()) {
            prop_assert_eq!(fraction(&left, &right), fraction(&right, &left));
            let (part, whole) = fraction(&left, &right);
            prop_assert!(part <= whole);
            prop_assert_eq!(part == 0, left == right);
            let both_empty = left.is_empty() && right.is_empty();
            prop_assert_eq!(part == whole, left.dot(&right) == 0 && !both_empty);
        }

        #[test]
        fn ignores_order_and_minds_frequency(features in proptest::collection::vec(0u64..9, 1..40)) {
            let reversed: Vec<u64> = features.iter().rev().copied().collect();
            let twice = [&features[..], &features[..]].concat();
            let [left, same, other] = [features, reversed, twice].map(|features| Vector::counts(&features));
            prop_assert_eq!(compare(&left, &same, &Ratio::ZERO), Ordering::Equal);
            prop_assert_eq!(compare(&left, &other, &Ratio { numerator: 1, denominator: 5 }), Ordering::Equal);
        }
    }
}
