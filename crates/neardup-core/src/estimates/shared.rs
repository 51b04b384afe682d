//! Values that two ascending lists share.

use std::cmp::Ordering;

/// Returns the number of values that are in both of two ascending lists without repeats.
#[inline]
pub fn count(mut left: &[u64], mut right: &[u64]) -> u64 {
    let mut count = 0;
    while let ([l, left_rest @ ..], [r, right_rest @ ..]) = (left, right) {
        match l.cmp(r) {
            Ordering::Less => left = left_rest,
            Ordering::Greater => right = right_rest,
            Ordering::Equal => {
                count += 1;
                (left, right) = (left_rest, right_rest);
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn counts_like_sets(left in proptest::collection::btree_set(0u64..60, 0..40), right in proptest::collection::btree_set(0u64..60, 0..40)) {
            let list = |set: &BTreeSet<u64>| set.iter().copied().collect::<Vec<_>>();
            prop_assert_eq!(count(&list(&left), &list(&right)), left.intersection(&right).count() as u64);
        }
    }
}
