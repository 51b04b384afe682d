//! Levenshtein distance with costs, between two sequences of tokens. It respects order and frequency.
//!
//! Equal costs take up to n m / 64 steps by bit vectors, and about 100 bytes for each token of the longer sequence:
//! about a second for two texts of 100,000 words. So do costs with a replacement at least as expensive as a deletion
//! and an insertion. Other costs take up to n m steps: half a minute for the same texts. Near copies, and searches with
//! a limit, compute only a band of the table.

mod banded;

use super::{alphabet::number, lcs};
use rapidfuzz::distance::levenshtein;

/// Costs of turning the left sequence into the right one, token by token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Cost of a token that only the right sequence has.
    pub insert: u32,
    /// Cost of a token that only the left sequence has.
    pub delete: u32,
    /// Cost of a token that replaces another.
    pub replace: u32,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { insert: 1, delete: 1, replace: 1 }
    }
}

/// Returns the least cost of insertions, deletions and replacements that turn `left` into `right`: from 0 for equal
/// sequences to that of n deletions and m insertions.
///
/// Levenshtein 1966; Hyyro: Explaining and extending the bit-parallel approximate string matching algorithm of
/// Myers, 2001. With all costs 1 it is a metric.
pub fn distance(left: &[u64], right: &[u64], costs: Costs) -> u64 {
    // Without a limit there is always a distance.
    within(left, right, costs, u64::MAX).unwrap_or(u64::MAX)
}

/// Returns the same distance if it is at most `limit`, otherwise `None`. A smaller `limit` takes less time.
pub fn within(left: &[u64], right: &[u64], costs: Costs, limit: u64) -> Option<u64> {
    let [insert, delete, replace] = [costs.insert, costs.delete, costs.replace].map(u64::from);
    let (n, m) = (left.len() as u64, right.len() as u64);
    if n.saturating_sub(m) * delete + m.saturating_sub(n) * insert > limit {
        return None;
    }
    let (both, most) = (insert + delete, n * delete + m * insert);
    let limit = limit.min(most);
    if both == 0 {
        Some(0)
    } else if replace >= both {
        // A deletion and an insertion cost no more than a replacement, so only the common subsequence remains.
        lcs::at_least(left, right, (most - limit).div_ceil(both)).map(|length| most - length * both)
    } else if insert == delete && delete == replace {
        equal(left, right, limit / insert).map(|edits| edits * insert)
    } else {
        banded::within(left, right, costs, limit)
    }
}

/// Returns the distance with costs of 1.
fn equal(left: &[u64], right: &[u64], limit: u64) -> Option<u64> {
    let (left, right) = number(left, right);
    // With this hint, rapidfuzz starts with a narrow band.
    let arguments = levenshtein::Args::default().score_cutoff(limit as usize).score_hint(1);
    levenshtein::distance_with_args(left.iter().copied(), right.iter().copied(), &arguments).map(|edits| edits as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::samples::{sequence, sequences};
    use proptest::prelude::*;

    /// By the table of all pairs of prefixes (Wagner, Fischer 1974).
    fn slow(left: &[u64], right: &[u64], costs: Costs) -> u64 {
        let [insert, delete, replace] = [costs.insert, costs.delete, costs.replace].map(u64::from);
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for i in 0..=left.len() {
            for j in 0..=right.len() {
                let last = |same: bool| table[i - 1][j - 1] + if same { 0 } else { replace };
                table[i][j] = match (i, j) {
                    (0, _) => j as u64 * insert,
                    (_, 0) => i as u64 * delete,
                    _ => last(left[i - 1] == right[j - 1]).min(table[i - 1][j] + delete).min(table[i][j - 1] + insert),
                };
            }
        }
        table[left.len()][right.len()]
    }

    /// Equal and other costs, from 0 to the maximum.
    fn costs() -> impl Strategy<Value = Costs> {
        let cost = || prop_oneof![4 => 0u32..6, 1 => Just(u32::MAX), 1 => any::<u32>()];
        prop_oneof![
            Just(Costs::default()),
            (1u32..).prop_map(|cost| Costs { insert: cost, delete: cost, replace: cost }),
            (cost(), cost(), cost()).prop_map(|(insert, delete, replace)| Costs { insert, delete, replace }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn is_that_of_the_table((left, right) in sequences(150), costs in costs(), near in 0u64..200) {
            let expected = slow(&left, &right, costs);
            prop_assert_eq!(distance(&left, &right, costs), expected);
            for limit in [near, expected.saturating_sub(1), expected, expected + 1, expected + near, u64::MAX] {
                let found = within(&left, &right, costs, limit);
                prop_assert_eq!(found, Some(expected).filter(|&distance| distance <= limit), "{}", limit);
            }
        }

        #[test]
        fn turns_round_with_its_costs((left, right) in sequences(60), costs in costs()) {
            let reversed = Costs { insert: costs.delete, delete: costs.insert, ..costs };
            prop_assert_eq!(distance(&left, &right, costs), distance(&right, &left, reversed));
            prop_assert_eq!(distance(&left, &left, costs), 0);
        }

        #[test]
        fn is_a_metric_with_costs_of_1((one, two) in sequences(60), three in sequence(60)) {
            let between = |left: &[u64], right: &[u64]| distance(left, right, Costs::default());
            prop_assert!(between(&one, &three) <= between(&one, &two) + between(&two, &three));
            prop_assert_eq!(between(&one, &two), between(&two, &one));
            prop_assert_eq!(between(&one, &two) == 0, one == two);
            prop_assert!(between(&one, &two) <= one.len().max(two.len()) as u64);
        }

        #[test]
        fn respects_order_and_frequency(left in sequence(100)) {
            let reversed: Vec<u64> = left.iter().rev().copied().collect();
            prop_assert_eq!(distance(&left, &reversed, Costs::default()) == 0, left == reversed);
            let twice = [&left[..], &left[..]].concat();
            prop_assert_eq!(distance(&left, &twice, Costs::default()), left.len() as u64);
        }
    }

    #[test]
    fn each_cost_by_itself() {
        let costs = Costs { insert: 2, delete: 3, replace: 4 };
        let table = [
            (&[][..], &[][..], 0),
            (&[], &[1, 2], 4),
            (&[1, 2], &[], 6),
            (&[1, 2, 3], &[1, 9, 3], 4),
            (&[1, 2, 3], &[1, 3], 3),
            (&[1, 2, 3], &[2, 3, 1], 5),
        ];
        for (left, right, expected) in table {
            assert_eq!(distance(left, right, costs), expected, "{left:?} {right:?}");
        }
        let dear = Costs { replace: 6, ..costs };
        assert_eq!(distance(&[1, 2, 3], &[1, 9, 3], dear), 5, "dearer than to delete and insert");
    }

    #[test]
    fn bands_of_every_width() {
        let token = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let left: Vec<u64> = (0..1500).map(token).collect();
        for costs in [Costs::default(), Costs { insert: 2, delete: 3, replace: 4 }] {
            for changed in [0, 1, 31, 32, 33, 127, 128, 129, 700, 1500] {
                let right: Vec<u64> = (0..1500).map(|at| token(if at * changed % 1500 < changed { at + 1500 } else { at })).collect();
                let differing = left.iter().zip(&right).filter(|(one, other)| one != other).count() as u64;
                let expected = differing * u64::from(costs.replace);
                assert_eq!(distance(&left, &right, costs), expected, "{changed}");
                if let Some(less) = expected.checked_sub(1) {
                    assert_eq!(within(&left, &right, costs, less), None, "{changed}");
                }
            }
        }
    }
}
