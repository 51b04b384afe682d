//! Arranging: keys of one table after another become buckets.

use crate::Result;
use crate::buckets::{Buckets, Capped};
use crate::group::group;
use crate::pass::{Over, Pass};
use crate::segment::Segment;
use crate::segments::Segments;
use rayon::prelude::*;

const SAMPLE: usize = 5;
/// Bytes an entry takes while it is grouped: itself and its share of the counting table.
const BYTES_PER_ENTRY: usize = 16;

/// The buckets of all documents for which `takes_part` holds, within about `memory` bytes beside the result.
///
/// Keys are split by value until the parts that run at once fit; every part is read, grouped and forgotten.
pub fn arrange(segments: &Segments, pass: &Pass, takes_part: &(dyn Fn(u32) -> bool + Sync), memory: usize) -> Result<Buckets> {
    let tables = pass.keys.tables();
    let keys: usize = segments.iter().map(|(_, segment)| segment.keys.len()).sum();
    let threads = rayon::current_num_threads();
    let wanted = (keys / tables.max(1)).saturating_mul(BYTES_PER_ENTRY * threads).div_ceil(memory.max(1));
    let parts = wanted.max(threads.div_ceil(tables)).max(1) as u64;
    let units: Vec<(usize, u64)> = (0..tables).flat_map(|table| (0..parts).map(move |part| (table, part))).collect();
    let grouped: Vec<Result<Buckets>> = units
        .into_par_iter()
        .map(|(table, part)| {
            let mut entries = Vec::new();
            for (first, segment) in segments.iter() {
                collect(segments, first, segment, table, &mut |key, document| {
                    if (u64::from(key) * parts) >> 32 == part && takes_part(document) {
                        entries.push((u64::from(key) << 32) | u64::from(document));
                    }
                })?;
            }
            let mut buckets = Buckets::default();
            group(entries, |entry| entry >> 32, |run| bucket(run, table, pass, &mut buckets));
            Ok(buckets)
        })
        .collect();
    let mut all = Buckets::default();
    for buckets in grouped {
        all.append(buckets?);
    }
    all.capped.sort_unstable();
    Ok(all)
}

fn collect(segments: &Segments, first: u32, segment: &Segment, table: usize, each: &mut dyn FnMut(u32, u32)) -> Result<()> {
    let (store, count) = (segments.store(), segment.len());
    if segment.key_ends.is_empty() {
        let keys = store.read(segment.keys, table * count..(table + 1) * count)?;
        keys.into_iter().zip(first..).for_each(|(key, document)| each(key, document));
        return Ok(());
    }
    let (keys, ends) = (store.all(segment.keys)?, store.all(segment.key_ends)?);
    let mut start = 0;
    for (document, end) in (first..).zip(ends) {
        keys[start..end as usize].iter().for_each(|&key| each(key, document));
        start = end as usize;
    }
    Ok(())
}

fn bucket(run: &[u64], table: usize, pass: &Pass, buckets: &mut Buckets) {
    let mut documents: Vec<u32> = run.iter().map(|&entry| entry as u32).collect();
    documents.dedup();
    match pass.cap {
        _ if documents.len() < 2 => {}
        Some(cap) if documents.len() > cap as usize => {
            buckets.capped.push(Capped {
                table,
                key: (run[0] >> 32) as u32,
                size: documents.len(),
                sample: documents[..SAMPLE.min(documents.len())].to_vec(),
            });
            if pass.over == Over::Star {
                documents[1..].iter().for_each(|&document| buckets.push([documents[0], document]));
            }
        }
        _ => buckets.push(documents),
    }
}
