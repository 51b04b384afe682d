//! Resemblance of bags: the sum of the lesser weights divided by the sum of the greater. It ignores order and respects
//! frequency.

use crate::sets::vector::Vector;

/// Returns sum of min(A_i, B_i) / sum of max(A_i, B_i), 0/n to n/n; 1/1 for two empty bags.
///
/// Theobald, Siddharth, Paepcke: SpotSigs, 2008, with counts as weights; Ruzicka 1958. One minus the value is a metric.
pub fn fraction(left: &Vector, right: &Vector) -> (u64, u64) {
    let lesser: u64 = left.shared(right).map(|(one, other)| one.min(other)).sum();
    match left.total() + right.total() - lesser {
        0 => (1, 1),
        greater => (lesser, greater),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::vector;
    use crate::util::ratio::Ratio;
    use proptest::prelude::*;

    fn bag(left: &Vector, right: &Vector) -> Ratio {
        let (numerator, denominator) = fraction(left, right);
        Ratio { numerator, denominator }
    }

    proptest! {
        #[test]
        fn counts_as_bags_of_tokens_do(left in proptest::collection::vec(0u64..6, 0..30), right in proptest::collection::vec(0u64..6, 0..30)) {
            let mut rest = right.clone();
            let taken = left.iter().filter(|&token| rest.iter().position(|other| other == token).map(|at| rest.remove(at)).is_some()).count();
            let whole = left.len() + rest.len();
            let expected = if whole == 0 { (1, 1) } else { (taken as u64, whole as u64) };
            prop_assert_eq!(fraction(&Vector::counts(&left), &Vector::counts(&right)), expected);
        }

        #[test]
        fn is_symmetric_between_0_and_1_and_1_for_equals(left in vector(), right in vector()) {
            prop_assert_eq!(fraction(&left, &right), fraction(&right, &left));
            prop_assert!(bag(&left, &right) <= Ratio::ONE);
            prop_assert_eq!(bag(&left, &right) == Ratio::ONE, left == right);
        }

        #[test]
        fn ignores_order_and_minds_frequency(features in proptest::collection::vec(0u64..9, 1..40)) {
            let reversed: Vec<u64> = features.iter().rev().copied().collect();
            let twice = [&features[..], &features[..]].concat();
            let [left, same, other] = [features, reversed, twice].map(|features| Vector::counts(&features));
            prop_assert_eq!(bag(&left, &same), Ratio::ONE);
            prop_assert_eq!(bag(&left, &other), Ratio { numerator: 1, denominator: 2 });
        }
    }
}
