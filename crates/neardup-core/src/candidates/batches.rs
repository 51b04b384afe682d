//! Batches: splits buckets, so that the data in memory at once stays within a budget.
//!
//! Documents that no chain of buckets connects never meet. So a batch consists of whole components of the graph that
//! buckets span. Every batch can be led, scored and connected by itself with the same result.

use crate::Result;
use crate::candidates::buckets::{Buckets, StoredBuckets};
use crate::util::forest::Forest;
use crate::util::ids::DocId;
use crate::util::shared_forest::SharedForest;
use crate::util::store::Store;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Buckets that are processed together.
#[derive(Debug, Default)]
pub struct BucketBatch {
    /// The buckets in the store.
    pub parts: Vec<StoredBuckets>,
    /// Weight of their documents and memberships, in bytes.
    pub weight: usize,
}

/// Memory weights, in bytes.
pub struct MemoryWeights<'a> {
    /// Weight of a document that is in at least one bucket.
    pub document: &'a (dyn Fn(DocId) -> usize + Sync),
    /// Weight of each bucket that a document is in.
    pub membership: usize,
}

/// Unit in which weights are summed, so that the largest fits in 32 bits.
const UNIT: usize = 16;
/// Minimum number of items that a thread takes at once.
const GRAIN: usize = 1 << 12;
/// Number of buckets distributed to batches at once.
const DEALT: usize = 1 << 16;

/// All buckets, split into batches.
#[derive(Debug)]
pub struct BucketBatches {
    /// The batches, in order.
    pub batches: Vec<BucketBatch>,
    /// Number of documents that are in at least one bucket.
    pub candidates: usize,
}

/// Splits buckets into batches of whole components, each of at most `limit` bytes. A component that weighs more is a batch
/// of its own. `documents` is the number of documents of the run.
pub fn split(store: &Store, parts: &[StoredBuckets], documents: usize, weights: &MemoryWeights<'_>, limit: usize) -> Result<BucketBatches> {
    let heavy = weigh(store, parts, documents, weights)?;
    let candidates = heavy.iter().filter(|&&weight| weight > 0).count();
    let total = heavy.iter().map(|&weight| weight as usize * UNIT).sum();
    if total <= limit {
        return Ok(BucketBatches { batches: vec![BucketBatch { parts: parts.to_vec(), weight: total }], candidates });
    }
    let (mut batches, batch_of) = fill(heavy, &connected(store, parts, documents)?, limit);
    for part in parts {
        let buckets = Buckets::load(store, [part])?;
        let starts: Vec<usize> = (0..buckets.len()).step_by(DEALT).collect();
        let partition = |&start: &usize| {
            let mut shares: Vec<Buckets> = batches.iter().map(|_| Buckets::default()).collect();
            for bucket in (start..buckets.len().min(start + DEALT)).map(|number| buckets.get(number)) {
                shares[batch_of[bucket[0].index()] as usize].push(bucket.iter().copied());
            }
            shares
        };
        let partitioned: Vec<Vec<Buckets>> = starts.par_iter().map(partition).collect();
        drop(buckets);
        batches.par_iter_mut().enumerate().try_for_each(|(batch, BucketBatch { parts, .. })| {
            let share = Buckets::joined(partitioned.iter().map(|shares| &shares[batch]));
            if !share.is_empty() {
                parts.push(share.store(store, part.kind, part.table)?);
            }
            Ok::<_, crate::Error>(())
        })?;
    }
    Ok(BucketBatches { batches, candidates })
}

/// Returns the weight of every document, in units.
fn weigh(store: &Store, parts: &[StoredBuckets], documents: usize, weights: &MemoryWeights<'_>) -> Result<Vec<u32>> {
    let units = |bytes: usize| bytes.div_ceil(UNIT) as u32;
    let memberships: Vec<AtomicU32> = (0..documents).into_par_iter().map(|_| AtomicU32::new(0)).collect();
    for part in parts {
        let buckets = Buckets::load(store, [part])?;
        let count = |&document: &DocId| _ = memberships[document.index()].fetch_add(1, Ordering::Relaxed);
        buckets.documents().par_iter().with_min_len(GRAIN).for_each(count);
    }
    let weigh = |(document, memberships): (DocId, AtomicU32)| match memberships.into_inner() {
        0 => 0,
        count => units((weights.document)(document)).saturating_add(count.saturating_mul(units(weights.membership))),
    };
    Ok((0..documents as u32).into_par_iter().map(DocId).zip(memberships).map(weigh).collect())
}

/// Connects the documents that share buckets.
fn connected(store: &Store, parts: &[StoredBuckets], documents: usize) -> Result<Forest<DocId>> {
    let forest = SharedForest::new(documents);
    for part in parts {
        let buckets = Buckets::load(store, [part])?;
        let connect = |bucket: &[DocId]| bucket[1..].iter().for_each(|&document| forest.union(bucket[0].0, document.0));
        (0..buckets.len()).into_par_iter().with_min_len(GRAIN).for_each(|number| connect(buckets.get(number)));
    }
    Ok(forest.into())
}

/// Assigns one component after another to batches. Returns the batches, still without buckets, and the batch of every
/// document.
fn fill(mut heavy: Vec<u32>, forest: &Forest<DocId>, limit: usize) -> (Vec<BucketBatch>, Vec<u32>) {
    for document in DocId::first(heavy.len()) {
        let root = forest.root(document);
        if root != document {
            heavy[root.index()] = heavy[root.index()].saturating_add(std::mem::take(&mut heavy[document.index()]));
        }
    }
    let mut batches = vec![BucketBatch::default()];
    for weight in heavy.iter_mut().filter(|weight| **weight > 0) {
        let bytes = *weight as usize * UNIT;
        if batches.last().is_some_and(|batch| batch.weight > 0 && batch.weight + bytes > limit) {
            batches.push(BucketBatch::default());
        }
        // From here on, the number is the batch of the component.
        *weight = batches.len() as u32 - 1;
        batches.last_mut().into_iter().for_each(|batch| batch.weight += bytes);
    }
    let batch_of = (0..heavy.len() as u32).into_par_iter().map(|document| heavy[forest.root(DocId(document)).index()]).collect();
    (batches, batch_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn listed(all: &[&[u32]], documents: usize, limit: usize) -> Vec<Vec<Vec<u32>>> {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        // Two parts, as from arranging.
        let parts: Vec<StoredBuckets> = all
            .chunks(3)
            .map(|some| {
                let mut buckets = Buckets::default();
                some.iter().for_each(|bucket| buckets.push(bucket.iter().copied().map(DocId)));
                buckets.store(&store, 0, 0).unwrap()
            })
            .collect();
        let weights = MemoryWeights { document: &|_| UNIT, membership: 0 };
        let BucketBatches { batches, candidates } = split(&store, &parts, documents, &weights, limit * UNIT).unwrap();
        assert_eq!(candidates, all.concat().into_iter().collect::<BTreeSet<u32>>().len());
        let buckets = |batch: &BucketBatch| {
            Buckets::load(&store, &batch.parts).unwrap().iter().map(|bucket| bucket.iter().map(|document| document.0).collect()).collect()
        };
        batches.iter().map(buckets).collect()
    }

    #[test]
    fn components_stay_whole() {
        let all: &[&[u32]] = &[&[0, 5], &[1, 2], &[5, 7], &[3, 4], &[2, 9]];
        assert_eq!(listed(all, 10, 100), [[vec![0, 5], vec![1, 2], vec![5, 7], vec![3, 4], vec![2, 9]]]);
        assert_eq!(listed(all, 10, 3), [vec![vec![0, 5], vec![5, 7]], vec![vec![1, 2], vec![2, 9]], vec![vec![3, 4]]]);
    }

    #[test]
    fn a_heavy_component_stands_alone() {
        assert_eq!(listed(&[&[0, 1], &[2, 3, 4, 5]], 6, 2), [vec![vec![0, 1]], vec![vec![2, 3, 4, 5]]]);
    }

    #[test]
    fn memberships_weigh() {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let mut buckets = Buckets::default();
        (0..3).for_each(|_| buckets.push([0, 1].map(DocId)));
        let parts = [buckets.store(&store, 0, 0).unwrap()];
        let batches = split(&store, &parts, 2, &MemoryWeights { document: &|_| 64, membership: 32 }, 0).unwrap().batches;
        assert_eq!(batches.iter().map(|batch| batch.weight).collect::<Vec<_>>(), [2 * 64 + 6 * 32]);
    }
}
