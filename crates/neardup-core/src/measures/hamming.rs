//! Hamming distance, the number of places where two equally long strings differ (Hamming 1950).

/// The bits that differ, 0 to 64 times the number of words; nothing when the lengths differ.
pub fn bits(left: &[u64], right: &[u64]) -> Option<u64> {
    sum(left, right, |one, other| (one ^ other).count_ones())
}

/// The tokens that differ, 0 to their number; nothing when the lengths differ. Order and frequency are respected.
pub fn tokens(left: &[u64], right: &[u64]) -> Option<u64> {
    sum(left, right, |one, other| u32::from(one != other))
}

fn sum(left: &[u64], right: &[u64], differing: impl Fn(u64, u64) -> u32) -> Option<u64> {
    let places = left.iter().zip(right).map(|(&one, &other)| u64::from(differing(one, other)));
    (left.len() == right.len()).then(|| places.sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Three strings of one length.
    fn three() -> impl Strategy<Value = [Vec<u64>; 3]> {
        (0usize..40).prop_flat_map(|length| [(); 3].map(|()| vec(prop_oneof![0u64..3, any::<u64>()], length)))
    }

    proptest! {
        #[test]
        fn counts_place_by_place([left, right, _] in three()) {
            let written = |words: &[u64]| words.iter().map(|word| format!("{word:064b}")).collect::<String>();
            let differing = written(&left).chars().zip(written(&right).chars()).filter(|(one, other)| one != other).count();
            prop_assert_eq!(bits(&left, &right), Some(differing as u64));
            let differing = (0..left.len()).filter(|&at| left[at] != right[at]).count();
            prop_assert_eq!(tokens(&left, &right), Some(differing as u64));
        }

        #[test]
        fn is_a_metric([one, two, three] in three()) {
            for distance in [bits, tokens] {
                let [direct, first, second] = [(&one, &three), (&one, &two), (&two, &three)].map(|(l, r)| distance(l, r).unwrap());
                prop_assert!(direct <= first + second);
                prop_assert_eq!(distance(&three, &one), Some(direct));
                prop_assert_eq!(direct == 0, one == three);
            }
            prop_assert!(tokens(&one, &two) <= Some(one.len() as u64));
            prop_assert!(bits(&one, &two) <= Some(64 * one.len() as u64));
        }

        #[test]
        fn respects_order([one, _, _] in three()) {
            let reversed: Vec<u64> = one.iter().rev().copied().collect();
            prop_assert_eq!(tokens(&one, &reversed) == Some(0), one == reversed);
        }

        #[test]
        fn lengths_must_be_equal(left in vec(any::<u64>(), 0..9), right in vec(any::<u64>(), 0..9)) {
            prop_assert_eq!(bits(&left, &right).is_some(), left.len() == right.len());
            prop_assert_eq!(tokens(&left, &right).is_some(), left.len() == right.len());
        }
    }
}
