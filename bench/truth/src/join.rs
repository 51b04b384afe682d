//! The exact join: every pair of sets whose resemblance is at or above the threshold.

use crate::threshold::Threshold;

/// Two sets at or above the threshold, and the number of shingles they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Index of one set.
    pub left: usize,
    /// Index of the other; left < right.
    pub right: usize,
    /// Number of shingles in both sets.
    pub shared: usize,
}

/// Returns all pairs of non-empty sets at or above the threshold, in ascending order. Sets contain ranks in ascending
/// order, rarest first.
///
/// Sets are processed from small to large. Each set is looked up in the index by its first n - ceil(tau n) + 1 shingles, and
/// then added under its first n - ceil(2 tau / (1 + tau) n) + 1. Two sets at or above the threshold must share a shingle of
/// these prefixes, and the smaller must have ceil(tau n) shingles. Bayardo, Ma, Srikant 2007; Xiao and others 2008, section 3.
pub fn join(sets: &[Vec<u32>], threshold: Threshold) -> Vec<Pair> {
    let mut order: Vec<usize> = (0..sets.len()).filter(|&set| !sets[set].is_empty()).collect();
    order.sort_by_key(|&set| sets[set].len());
    let ranks = sets.iter().flatten().max().map_or(0, |&rank| rank as usize + 1);
    let mut index: Vec<Vec<u32>> = vec![Vec::new(); ranks];
    let mut compared = vec![usize::MAX; sets.len()];
    let mut pairs = Vec::new();
    for &set in &order {
        let shingles = &sets[set];
        let size = shingles.len();
        let least = threshold.least_size(size);
        for &shingle in &shingles[..=size - least] {
            // Sets were added in order of size: those that are too small come first.
            let holders = &index[shingle as usize];
            let first = holders.partition_point(|&other| sets[other as usize].len() < least);
            for &other in &holders[first..] {
                let other = other as usize;
                if std::mem::replace(&mut compared[other], set) == set {
                    continue;
                }
                let need = threshold.least_overlap(size, sets[other].len());
                if let Some(shared) = overlap(shingles, &sets[other], need)
                    && threshold.holds(shared, size, sets[other].len())
                {
                    pairs.push(Pair { left: set.min(other), right: set.max(other), shared });
                }
            }
        }
        for &shingle in &shingles[..=size - threshold.least_overlap(size, size)] {
            index[shingle as usize].push(set as u32);
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the number of shingles in both ascending sets, or `None` as soon as it cannot reach `need`.
fn overlap(left: &[u32], right: &[u32], need: usize) -> Option<usize> {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        if shared + (left.len() - i).min(right.len() - j) < need {
            return None;
        }
        shared += usize::from(left[i] == right[j]);
        let (step_left, step_right) = (left[i] <= right[j], right[j] <= left[i]);
        i += usize::from(step_left);
        j += usize::from(step_right);
    }
    (shared >= need).then_some(shared)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn every_pair(sets: &[Vec<u32>], threshold: Threshold) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for right in 0..sets.len() {
            for left in 0..right {
                let shared = sets[left].iter().filter(|shingle| sets[right].contains(shingle)).count();
                if shared > 0 && threshold.holds(shared, sets[left].len(), sets[right].len()) {
                    pairs.push(Pair { left, right, shared });
                }
            }
        }
        pairs.sort();
        pairs
    }

    proptest! {
        #[test]
        fn join_finds_what_comparing_all_finds(
            sets in prop::collection::vec(prop::collection::btree_set(0_u32..40, 0..30), 0..40),
            threshold in prop::sample::select(vec!["3/10", "1/2", "7/10", "4/5", "9/10", "1/1"]),
        ) {
            let sets: Vec<Vec<u32>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let threshold: Threshold = threshold.parse().expect("a fraction");
            prop_assert_eq!(join(&sets, threshold), every_pair(&sets, threshold));
        }

        #[test]
        fn join_finds_near_copies(
            base in prop::collection::btree_set(0_u32..400, 40..200),
            changes in prop::collection::vec(prop::collection::btree_set(0_u32..400, 0..40), 1..30),
        ) {
            let sets: Vec<Vec<u32>> = changes
                .iter()
                .map(|change| base.symmetric_difference(change).copied().collect::<BTreeSet<u32>>())
                .map(|set| set.into_iter().collect())
                .collect();
            let threshold: Threshold = "4/5".parse().expect("a fraction");
            prop_assert_eq!(join(&sets, threshold), every_pair(&sets, threshold));
        }
    }
}
