//! Bit strings of equal length.

/// Returns the number of bits in which two strings of equal length differ (Hamming 1950); `u64::MAX` if one is empty,
/// because its document has no features that could be equal.
#[inline]
pub fn differing(left: &[u64], right: &[u64]) -> u64 {
    if left.is_empty() || right.is_empty() {
        return u64::MAX;
    }
    left.iter().zip(right).map(|(l, r)| u64::from((l ^ r).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_bit_by_bit_and_is_a_metric(words in proptest::collection::vec(any::<[u64; 3]>(), 1..40)) {
            let [one, two, three] = [0, 1, 2].map(|at| words.iter().map(|word| word[at]).collect::<Vec<u64>>());
            let written = |words: &[u64]| words.iter().map(|word| format!("{word:064b}")).collect::<String>();
            let slow = written(&one).chars().zip(written(&two).chars()).filter(|(left, right)| left != right).count();
            prop_assert_eq!(differing(&one, &two), slow as u64);
            prop_assert!(differing(&one, &three) <= differing(&one, &two) + differing(&two, &three));
            prop_assert_eq!(differing(&three, &one), differing(&one, &three));
            prop_assert_eq!(differing(&one, &two) == 0, one == two);
        }
    }
}
