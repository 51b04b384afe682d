//! Levenshtein distance with any costs, by the part of the table that a limit can reach.

use super::Costs;

/// Greater than any limit, and far enough below 2^64 that costs can be added.
const FAR: u64 = 1 << 62;
/// The first limit, in edits of the most expensive kind; each further limit is twice as high.
const EDITS: u64 = 32;

/// Returns the distance if it is at most `limit`. `limit` must not exceed the cost of deleting and inserting all tokens.
///
/// Wagner, Fischer 1974; Ukkonen: Algorithms for approximate string matching, 1985.
pub fn within(left: &[u64], right: &[u64], costs: Costs, limit: u64) -> Option<u64> {
    let longest = left.len().abs_diff(right.len()) as u64 + EDITS;
    let mut most = longest * u64::from(costs.insert.max(costs.delete).max(costs.replace));
    while most < limit {
        if let Some(distance) = band(left, right, costs, most) {
            return Some(distance);
        }
        most *= 2;
    }
    band(left, right, costs, limit)
}

/// Computes the same in one band: a cell k places off the diagonal takes k insertions on one side, and k deletions on
/// the other.
fn band(left: &[u64], right: &[u64], costs: Costs, limit: u64) -> Option<u64> {
    let [insert, delete, replace] = [costs.insert, costs.delete, costs.replace].map(u64::from);
    let reach = |cost: u64, most: usize| limit.checked_div(cost).map_or(most, |steps| most.min(steps as usize));
    let (ahead, behind) = (reach(insert, right.len()), reach(delete, left.len()));
    let mut row: Vec<u64> = (0..=right.len()).map(|j| if j <= ahead { j as u64 * insert } else { FAR }).collect();
    for (i, token) in (1usize..).zip(left) {
        let (first, last) = (i.saturating_sub(behind).max(1), right.len().min(i + ahead));
        // The cell before the band: the first column, or a cell that the limit does not reach.
        let mut corner = row[first - 1];
        row[first - 1] = if i <= behind { i as u64 * delete } else { FAR };
        let mut before = row[first - 1];
        let mut least = before;
        for (cell, other) in row[first..=last].iter_mut().zip(&right[first - 1..last]) {
            let diagonal = corner + if token == other { 0 } else { replace };
            corner = *cell;
            before = diagonal.min(corner + delete).min(before + insert);
            *cell = before;
            least = least.min(before);
        }
        if least > limit {
            return None;
        }
    }
    Some(row[right.len()]).filter(|&distance| distance <= limit)
}
