//! Euclidean distance of two weighted vectors. It ignores order and respects frequency.

use crate::sets::vector::Vector;
use crate::util::product;
use crate::util::ratio::Ratio;
use std::cmp::Ordering;

/// Compares the distance |A - B| with p/q, exactly: it compares |A - B|^2 q^2 with p^2 to avoid roots.
///
/// The distance is 0 for equal vectors and has no upper bound. [`Vector::squared_distance`] returns its square.
pub fn compare(left: &Vector, right: &Vector, ratio: &Ratio) -> Ordering {
    let (p, q) = (ratio.numerator.into(), ratio.denominator.into());
    product::compare(&[left.squared_distance(right), q, q], &[p, p])
}

/// Returns the distance for display only: no decision may use it.
pub fn value(left: &Vector, right: &Vector) -> f64 {
    (left.squared_distance(right) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::vector;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_symmetric_and_0_for_equals_alone(left in vector(), right in vector(), numerator in any::<u64>(), denominator in 1u64..) {
            let ratio = Ratio { numerator, denominator };
            prop_assert_eq!(compare(&left, &right, &ratio), compare(&right, &left, &ratio));
            prop_assert_eq!(compare(&left, &right, &Ratio::ZERO).is_eq(), left == right);
        }

        #[test]
        fn compares_as_the_root_does(left in vector(), right in vector(), numerator in 0u64..1 << 35, denominator in 1u64..100) {
            let ratio = Ratio { numerator, denominator };
            let (distance, number) = (value(&left, &right), ratio.approximate());
            prop_assume!((distance - number).abs() > 1e-6 * number);
            prop_assert_eq!(compare(&left, &right, &ratio), distance.total_cmp(&number));
        }

        #[test]
        fn triangle(one in vector(), two in vector(), three in vector()) {
            let (direct, first, second) = (value(&one, &three), value(&one, &two), value(&two, &three));
            prop_assert!(direct <= (first + second) * (1.0 + 1e-9));
        }

        #[test]
        fn ignores_order_and_minds_frequency(features in proptest::collection::vec(0u64..9, 1..40)) {
            let reversed: Vec<u64> = features.iter().rev().copied().collect();
            let more: Vec<u64> = features.iter().chain(&features[..1]).copied().collect();
            let [left, same, other] = [features, reversed, more].map(|features| Vector::counts(&features));
            prop_assert_eq!(compare(&left, &same, &Ratio::ZERO), Ordering::Equal);
            prop_assert_eq!(compare(&left, &other, &Ratio::ONE), Ordering::Equal);
        }
    }

    #[test]
    fn three_four_five() {
        let left: Vector = [(1, 3), (2, 1)].into_iter().collect();
        let right: Vector = [(2, 1), (3, 4)].into_iter().collect();
        assert_eq!(left.squared_distance(&right), 25);
        let against = |numerator, denominator| compare(&left, &right, &Ratio { numerator, denominator });
        assert_eq!([against(49, 10), against(5, 1), against(51, 10)], [Ordering::Greater, Ordering::Equal, Ordering::Less]);
    }
}
