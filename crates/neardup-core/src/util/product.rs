//! Exact comparison of products of whole numbers.

use num_bigint::BigUint;
use std::cmp::Ordering;

/// Compares the product of `left` with the product of `right`, exactly, however large they are.
pub fn compare(left: &[u128], right: &[u128]) -> Ordering {
    match (narrow(left), narrow(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => wide(left).cmp(&wide(right)),
    }
}

/// Returns the product if it fits in 128 bits. Nearly all do, which avoids an allocation.
fn narrow(factors: &[u128]) -> Option<u128> {
    factors.iter().try_fold(1, |product: u128, &factor| product.checked_mul(factor))
}

fn wide(factors: &[u128]) -> BigUint {
    factors.iter().map(|&factor| BigUint::from(factor)).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn factors() -> impl Strategy<Value = Vec<u128>> {
        proptest::collection::vec(prop_oneof![0..4u128, Just(1 << 64), Just(u128::MAX), any::<u128>()], 0..4)
    }

    proptest! {
        #[test]
        fn widths_agree(left in factors(), right in factors()) {
            prop_assert_eq!(compare(&left, &right), wide(&left).cmp(&wide(&right)));
            prop_assert_eq!(compare(&left, &left), Ordering::Equal);
        }
    }

    #[test]
    fn beyond_128_bits() {
        let most = u128::MAX;
        assert_eq!(compare(&[most, most - 1], &[most - 1, most]), Ordering::Equal);
        assert_eq!(compare(&[most, most], &[most, most - 1]), Ordering::Greater);
        assert_eq!(compare(&[most, most, 0], &[1]), Ordering::Less);
        assert_eq!(compare(&[], &[1]), Ordering::Equal);
    }
}
