//! Longest common subsequence of two sequences of tokens. It respects order and frequency.
//!
//! n and m tokens cost up to n m / 64 steps, by bit vectors, and about 100 bytes for each token of the longer sequence.
//! Two texts of 100,000 words take about a second. Near copies with k insertions and deletions cost about n k / 32.

use super::alphabet::number;
use rapidfuzz::distance::indel;

/// The width of the first band, in insertions and deletions; each further band is four times as wide.
const BAND: usize = 64;
/// A band wider than this fraction (1 / `WIDEST`) of all tokens saves nothing.
const WIDEST: usize = 8;

/// Returns the length of the longest common subsequence, 0 to min(n, m).
///
/// Hyyro: Bit-parallel LCS-length computation revisited, 2004.
pub fn length(left: &[u64], right: &[u64]) -> u64 {
    at_least(left, right, 0).unwrap_or(0)
}

/// Returns the same length if it is at least `least`, otherwise `None`. A greater `least` takes less time.
pub fn at_least(left: &[u64], right: &[u64], least: u64) -> Option<u64> {
    let both = left.len() + right.len();
    let least = usize::try_from(least).ok().filter(|&least| least <= left.len().min(right.len()))?;
    let allowed = both - 2 * least;
    let (left, right) = number(left, right);
    let mut band = BAND;
    loop {
        let most = if band < both / WIDEST { band.min(allowed) } else { allowed };
        // By insertions and deletions: the cut-off for the length in rapidfuzz 0.5 loses some results that just reach it.
        let arguments = indel::Args::default().score_cutoff(most);
        match indel::distance_with_args(left.iter().copied(), right.iter().copied(), &arguments) {
            Some(edits) => return Some(((both - edits) / 2) as u64),
            None if most == allowed => return None,
            None => band *= 4,
        }
    }
}

/// Returns the LCS resemblance, LCS / (n + m - LCS), 0/k to k/k; 1/1 for two empty sequences.
pub fn fraction(left: &[u64], right: &[u64]) -> (u64, u64) {
    let length = length(left, right);
    match (left.len() + right.len()) as u64 - length {
        0 => (1, 1),
        whole => (length, whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::{sequence, sequences};
    use proptest::prelude::*;

    /// By the table of all pairs of prefixes.
    fn slow(left: &[u64], right: &[u64]) -> u64 {
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for (i, one) in left.iter().enumerate() {
            for (j, other) in right.iter().enumerate() {
                table[i + 1][j + 1] = if one == other { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[left.len()][right.len()]
    }

    proptest! {
        #[test]
        fn is_that_of_the_table((left, right) in sequences(300), near in 0u64..4) {
            let expected = slow(&left, &right);
            prop_assert_eq!(length(&left, &right), expected);
            for least in [expected.saturating_sub(near), expected, expected + 1, expected + near] {
                prop_assert_eq!(at_least(&left, &right, least), Some(expected).filter(|&length| length >= least), "{}", least);
            }
            prop_assert_eq!(at_least(&left, &right, u64::MAX), None);
        }

        #[test]
        fn is_symmetric_between_0_and_1_and_1_for_equals((left, right) in sequences(100)) {
            let (length, whole) = fraction(&left, &right);
            prop_assert_eq!((length, whole), fraction(&right, &left));
            prop_assert!(length <= whole && whole > 0);
            prop_assert_eq!(length == whole, left == right);
        }

        #[test]
        fn respects_order_and_frequency(left in sequence(100)) {
            let reversed: Vec<u64> = left.iter().rev().copied().collect();
            let (length, whole) = fraction(&left, &reversed);
            prop_assert_eq!(length == whole, left == reversed);
            let twice = [&left[..], &left[..]].concat();
            let expected = if left.is_empty() { (1, 1) } else { (left.len() as u64, twice.len() as u64) };
            prop_assert_eq!(fraction(&left, &twice), expected);
        }
    }

    #[test]
    fn bands_of_every_width() {
        let token = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let left: Vec<u64> = (0..3000).map(token).collect();
        for changed in [0, 1, 31, 32, 33, 127, 128, 129, 500, 1499, 3000] {
            let right: Vec<u64> = (0..3000).map(|at| token(if at * changed % 3000 < changed { at + 3000 } else { at })).collect();
            let common = left.iter().zip(&right).filter(|(one, other)| one == other).count() as u64;
            assert_eq!(length(&left, &right), common, "{changed}");
        }
    }

    #[test]
    fn empty_sequences() {
        assert_eq!((fraction(&[], &[]), fraction(&[1], &[]), fraction(&[], &[1, 2])), ((1, 1), (0, 1), (0, 2)));
        assert_eq!((at_least(&[], &[], 0), at_least(&[], &[], 1)), (Some(0), None));
    }
}
