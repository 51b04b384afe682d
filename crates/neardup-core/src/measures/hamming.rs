//! Hamming distance: the number of positions at which two sequences of equal length differ (Hamming 1950).

/// Returns the number of tokens that differ; `None` if the lengths differ. The distance respects order and frequency.
pub fn tokens(left: &[u64], right: &[u64]) -> Option<u64> {
    (left.len() == right.len()).then(|| left.iter().zip(right).map(|(one, other)| u64::from(one != other)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Three sequences of equal length.
    fn three() -> impl Strategy<Value = [Vec<u64>; 3]> {
        (0usize..40).prop_flat_map(|length| [(); 3].map(|()| vec(prop_oneof![0u64..3, any::<u64>()], length)))
    }

    proptest! {
        #[test]
        fn counts_place_by_place([left, right, _] in three()) {
            let differing = (0..left.len()).filter(|&at| left[at] != right[at]).count();
            prop_assert_eq!(tokens(&left, &right), Some(differing as u64));
        }

        #[test]
        fn is_a_metric([one, two, three] in three()) {
            let [direct, first, second] = [(&one, &three), (&one, &two), (&two, &three)].map(|(l, r)| tokens(l, r).unwrap());
            prop_assert!(direct <= first + second);
            prop_assert_eq!(tokens(&three, &one), Some(direct));
            prop_assert_eq!(direct == 0, one == three);
            prop_assert!(tokens(&one, &two) <= Some(one.len() as u64));
        }

        #[test]
        fn respects_order([one, _, _] in three()) {
            let reversed: Vec<u64> = one.iter().rev().copied().collect();
            prop_assert_eq!(tokens(&one, &reversed) == Some(0), one == reversed);
        }

        #[test]
        fn lengths_must_be_equal(left in vec(any::<u64>(), 0..9), right in vec(any::<u64>(), 0..9)) {
            prop_assert_eq!(tokens(&left, &right).is_some(), left.len() == right.len());
        }
    }
}
