//! Bit strings.

/// How many bits of two strings of one length differ (Hamming 1950).
#[inline]
pub fn differing(left: &[u64], right: &[u64]) -> u64 {
    left.iter().zip(right).map(|(l, r)| u64::from((l ^ r).count_ones())).sum()
}
