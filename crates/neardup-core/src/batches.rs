//! Batches: buckets split so that what must be in memory at once stays within a budget.
//!
//! Documents that no chain of buckets connects can never meet, so each batch holds whole components of the graph
//! that buckets span, and every batch can be led, scored and connected by itself with the same outcome.

use crate::buckets::Buckets;
use crate::components::Forest;
use std::collections::BTreeMap;

/// Splits buckets into batches of whole components whose documents together weigh at most `limit`; a component that
/// weighs more is a batch of its own. `documents` is the number of documents of the run.
pub fn split(buckets: Buckets, documents: usize, weight: &dyn Fn(u32) -> usize, limit: usize) -> Vec<Buckets> {
    let mut members: Vec<u32> = buckets.documents().to_vec();
    members.sort_unstable();
    members.dedup();
    if members.iter().map(|&document| weight(document)).sum::<usize>() <= limit {
        return vec![buckets];
    }
    let mut forest = Forest::new(documents);
    for bucket in buckets.iter() {
        bucket[1..].iter().for_each(|&document| forest.union(bucket[0], document));
    }
    let mut weights: BTreeMap<u32, usize> = BTreeMap::new();
    for &document in &members {
        *weights.entry(forest.find(document)).or_default() += weight(document);
    }
    let (mut batch_of, mut batch, mut held) = (BTreeMap::new(), 0, 0);
    for (component, weight) in weights {
        if held > 0 && held + weight > limit {
            (batch, held) = (batch + 1, 0);
        }
        held += weight;
        batch_of.insert(component, batch);
    }
    let mut batches: Vec<Buckets> = (0..=batch).map(|_| Buckets::default()).collect();
    for bucket in buckets.iter() {
        batches[batch_of[&forest.find(bucket[0])]].push(bucket.iter().copied());
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(buckets: &[&[u32]]) -> Buckets {
        let mut all = Buckets::default();
        buckets.iter().for_each(|bucket| all.push(bucket.iter().copied()));
        all
    }

    fn listed(batches: &[Buckets]) -> Vec<Vec<Vec<u32>>> {
        batches.iter().map(|batch| batch.iter().map(<[u32]>::to_vec).collect()).collect()
    }

    #[test]
    fn components_stay_whole() {
        let all: &[&[u32]] = &[&[0, 5], &[1, 2], &[5, 7], &[3, 4], &[2, 9]];
        assert_eq!(listed(&split(buckets(all), 10, &|_| 1, 100)), [[vec![0, 5], vec![1, 2], vec![5, 7], vec![3, 4], vec![2, 9]]]);
        let split = listed(&split(buckets(all), 10, &|_| 1, 3));
        assert_eq!(split, [vec![vec![0, 5], vec![5, 7]], vec![vec![1, 2], vec![2, 9]], vec![vec![3, 4]]]);
    }

    #[test]
    fn a_heavy_component_stands_alone() {
        let all: &[&[u32]] = &[&[0, 1], &[2, 3, 4, 5]];
        assert_eq!(listed(&split(buckets(all), 6, &|_| 1, 2)), [vec![vec![0, 1]], vec![vec![2, 3, 4, 5]]]);
    }
}
