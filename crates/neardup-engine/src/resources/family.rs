//! Families: estimates from a sample how much memory the documents take that keys connect with each other.

use crate::Result;
use neardup_core::candidates::copies::Copies;
use neardup_core::candidates::numbered::Candidates;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::segment::StoredChunk;
use neardup_core::signing::segments::Segments;
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::store::Store;
use rayon::prelude::*;
use std::sync::Arc;

/// Number of documents that is enough for the estimate.
const ENOUGH: usize = 1 << 17;

/// Estimates the bytes that the heaviest family of a corpus takes, which is at least as much as one document with all that it
/// meets.
///
/// `chunks` contain one in `times` of the corpus's documents. Keys that are cut later are not counted.
pub fn heaviest(chunks: &[StoredChunk], pass: &CompiledPass, store: &Arc<Store>, threads: usize, times: f64) -> Result<usize> {
    let all: usize = chunks.iter().map(StoredChunk::len).sum();
    let some: Vec<StoredChunk> = chunks.iter().step_by(all.div_ceil(ENOUGH).max(1)).cloned().collect();
    let segments = Segments::new(Arc::clone(store), some);
    let times = times * all as f64 / segments.len().max(1) as f64;
    let copies = Copies::find(&segments, &|_| true, &|document| Rank(document.0), usize::MAX)?;
    let features = segments.column(|segment| segment.features)?;
    let takes_part = |document: DocId| features[document.index()] > 0 && !copies.is_copy(document);
    let (mut forest, mut memberships) = (Forest::new(segments.len()), vec![0; segments.len()]);
    let mut entries: Vec<u64> = Vec::new();
    for (number, kind) in pass.kinds.iter().enumerate() {
        for table in 0..kind.keys.tables() {
            entries.clear();
            for (first, segment) in segments.iter() {
                let Some(rows) = segment.rows(number).filter(|rows| !rows.is_empty()) else { continue };
                rows.each(store, table, first, segment.len(), |key, document| {
                    if takes_part(document) {
                        entries.push(u64::from(key) << 32 | u64::from(document.0));
                    }
                })?;
            }
            entries.par_sort_unstable();
            entries.dedup();
            for bucket in entries.chunk_by(|left, right| left >> 32 == right >> 32).filter(|bucket| bucket.len() > 1) {
                let holders = (bucket.len() as f64 * times) as usize;
                if !(kind.drops() && kind.caps(holders)) {
                    bucket.iter().for_each(|&entry| {
                        forest.union(bucket[0] as u32, entry as u32);
                        memberships[entry as u32 as usize] += 1;
                    });
                }
            }
        }
    }
    let mut weights = vec![0; segments.len()];
    for ((document, sketch), buckets) in (0..).zip(segments.sketch_bytes(pass)?).zip(memberships).filter(|(_, buckets)| *buckets > 0) {
        weights[forest.root(document) as usize] +=
            Candidates::weight(threads) + sketch as usize + buckets * Candidates::BYTES_PER_MEMBERSHIP;
    }
    Ok((weights.into_iter().max().unwrap_or(0) as f64 * times) as usize)
}
