//! Arranging: keys of one table after another become buckets.

use crate::Result;
use crate::buckets::{Buckets, Capped, Stored};
use crate::group::group;
use crate::pass::{Over, Pass};
use crate::segment::Segment;
use crate::segments::Segments;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

const SAMPLE: usize = 5;
/// Bytes an entry takes while it is grouped: itself, its share of the counting table, and its place in a bucket.
const BYTES_PER_ENTRY: usize = 32;

/// The buckets of a corpus, in the store.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Arranged {
    /// Part by part.
    pub parts: Vec<Stored>,
    /// Keys held by more documents than the cap.
    pub capped: Vec<Capped>,
}

/// The buckets of all documents for which `takes_part` holds, made within about `memory` bytes.
///
/// Keys are split by value until the parts that run at once fit; every part is read, grouped, stored and forgotten.
pub fn arrange(segments: &Segments, pass: &Pass, takes_part: &(dyn Fn(u32) -> bool + Sync), memory: usize) -> Result<Arranged> {
    let tables = pass.keys.tables();
    let keys: usize = segments.iter().map(|(_, segment)| segment.keys.len()).sum();
    let threads = rayon::current_num_threads();
    let wanted = (keys / tables.max(1)).saturating_mul(BYTES_PER_ENTRY * threads).div_ceil(memory.max(1));
    let parts = wanted.max(threads.div_ceil(tables)).clamp(1, keys.max(1)) as u64;
    let units: Vec<(usize, u64)> = (0..tables).flat_map(|table| (0..parts).map(move |part| (table, part))).collect();
    let grouped: Vec<Result<(Stored, Vec<Capped>)>> = units
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
            let (mut buckets, mut capped) = (Buckets::default(), Vec::new());
            group(entries, |entry| entry >> 32, |run| bucket(run, table, pass, &mut buckets, &mut capped));
            Ok((buckets.store(segments.store())?, capped))
        })
        .collect();
    let mut arranged = Arranged::default();
    for part in grouped {
        let (stored, mut capped) = part?;
        arranged.parts.push(stored);
        arranged.capped.append(&mut capped);
    }
    arranged.capped.sort_unstable();
    Ok(arranged)
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

fn bucket(run: &[u64], table: usize, pass: &Pass, buckets: &mut Buckets, capped: &mut Vec<Capped>) {
    let mut documents: Vec<u32> = run.iter().map(|&entry| entry as u32).collect();
    documents.dedup();
    match pass.cap {
        _ if documents.len() < 2 => {}
        Some(cap) if documents.len() > cap as usize => {
            capped.push(Capped {
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
