//! Arranging: keys of one table after another become buckets.

use crate::Result;
use crate::buckets::{Buckets, Capped, Stored};
use crate::group::group;
use crate::near::{Members, Near};
use crate::pass::{Over, Pass};
use crate::segment::Segment;
use crate::segments::Segments;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

const SAMPLE: usize = 5;
/// Buckets of so many documents are stored once: a block of text makes many that are equal.
const LARGE: usize = 64;
/// Bytes an entry takes while it is grouped: itself twice, its share of the counting table, and its place in a bucket.
const BYTES_PER_ENTRY: usize = 32;

/// The buckets of a corpus, in the store.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Arranged {
    /// Part by part.
    pub parts: Vec<Stored>,
    /// Keys held by more documents than the cap.
    pub capped: Vec<Capped>,
    /// How often two fingerprints were compared to thin buckets out.
    pub proposed: u64,
}

/// The buckets of all documents for which `takes_part` holds, made within about `memory` bytes.
///
/// Keys are split by value until the parts that run at once fit; every part is read, grouped, stored and forgotten.
/// Buckets of fingerprints are thinned out to those that are near ([`crate::near`]) before they count as large.
pub fn arrange(segments: &Segments, pass: &Pass, takes_part: &(dyn Fn(u32) -> bool + Sync), memory: usize) -> Result<Arranged> {
    let near = Near::new(pass);
    let tables = pass.keys.tables();
    let keys = segments.iter().map(|(_, segment)| segment.keys.len()).sum::<usize>() / tables.max(1);
    let threads = rayon::current_num_threads();
    let bytes = BYTES_PER_ENTRY + near.as_ref().map_or(0, Near::bytes);
    let wanted = keys.saturating_mul(bytes * threads).div_ceil(memory.max(1));
    let parts = wanted.max(threads.div_ceil(tables)).clamp(1, keys.max(1)) as u64;
    let units: Vec<(usize, u64)> = (0..tables).flat_map(|table| (0..parts).map(move |part| (table, part))).collect();
    let grouped: Vec<Result<(Stored, Vec<Capped>, u64)>> = units
        .into_par_iter()
        .map(|(table, part)| {
            let unit = Unit { segments, table, part, parts, takes_part, keys: keys / parts as usize };
            let mut shelf = Shelf { pass, table, buckets: Buckets::default(), capped: Vec::new(), proposed: 0, large: HashSet::new() };
            match near.as_ref().map(|near| (near, near.words())) {
                None => unit.group(&mut shelf)?,
                Some((near, 1)) => unit.group_near::<1>(near, &mut shelf)?,
                Some((near, 2)) => unit.group_near::<2>(near, &mut shelf)?,
                Some((near, 6)) => unit.group_near::<6>(near, &mut shelf)?,
                Some((near, _)) => unit.group_near::<16>(near, &mut shelf)?,
            }
            Ok((shelf.buckets.store(segments.store())?, shelf.capped, shelf.proposed))
        })
        .collect();
    let mut arranged = Arranged::default();
    for part in grouped {
        let (stored, mut capped, proposed) = part?;
        arranged.parts.push(stored);
        arranged.proposed += proposed;
        arranged.capped.append(&mut capped);
    }
    arranged.capped.sort_unstable();
    Ok(arranged)
}

/// What is grouped at once: the keys of one table whose values are in one part of all.
struct Unit<'a> {
    segments: &'a Segments,
    table: usize,
    part: u64,
    parts: u64,
    takes_part: &'a (dyn Fn(u32) -> bool + Sync),
    /// About how many keys.
    keys: usize,
}

impl Unit<'_> {
    fn group(&self, shelf: &mut Shelf<'_>) -> Result<()> {
        let mut entries = Vec::with_capacity(self.keys);
        for (first, segment) in self.segments.iter() {
            self.each(first, segment, |key, document| entries.push(entry(key, document)))?;
        }
        let mut documents = Vec::new();
        group(entries, key, |run| {
            documents.clear();
            documents.extend(run.iter().map(|&entry| entry as u32));
            documents.dedup();
            if documents.len() < run.len() || !shelf.pass.keys.need_twice() {
                shelf.put(key(run[0]), &documents);
            }
        });
        Ok(())
    }

    /// Every entry carries its fingerprint, of `W` words.
    fn group_near<const W: usize>(&self, near: &Near<'_>, shelf: &mut Shelf<'_>) -> Result<()> {
        let mut entries: Vec<(u64, [u64; W])> = Vec::with_capacity(self.keys);
        for (first, segment) in self.segments.iter() {
            let fingerprints = near.fingerprints::<W>(self.segments.store(), segment)?;
            self.each(first, segment, |key, document| {
                entries.push((entry(key, document), fingerprints[(document - first) as usize]));
            })?;
        }
        let mut members = Members::default();
        group(
            entries,
            |(entry, _)| key(entry),
            |run| {
                members.take(run.iter().map(|&(entry, fingerprint)| (entry as u32, fingerprint)));
                let looks = near.split(self.table, &mut members, &mut |documents| shelf.put(key(run[0].0), documents));
                shelf.proposed += looks;
            },
        );
        Ok(())
    }

    /// Calls `each` with the keys of a segment that take part and their documents.
    fn each(&self, first: u32, segment: &Segment, mut each: impl FnMut(u32, u32)) -> Result<()> {
        let (store, count) = (self.segments.store(), segment.len());
        let mut each = |key: u32, document: u32| {
            if (u64::from(key) * self.parts) >> 32 == self.part && (self.takes_part)(document) {
                each(key, document);
            }
        };
        if segment.key_ends.is_empty() {
            let keys = store.read(segment.keys, self.table * count..(self.table + 1) * count)?;
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
}

fn entry(key: u32, document: u32) -> u64 {
    u64::from(key) << 32 | u64::from(document)
}

fn key(entry: u64) -> u64 {
    entry >> 32
}

/// The buckets of one unit.
struct Shelf<'a> {
    pass: &'a Pass,
    table: usize,
    buckets: Buckets,
    capped: Vec<Capped>,
    /// See [`Arranged::proposed`].
    proposed: u64,
    /// Digests of the large buckets.
    large: HashSet<blake3::Hash>,
}

impl Shelf<'_> {
    /// Takes documents that share a key, ascending.
    fn put(&mut self, key: u64, documents: &[u32]) {
        if documents.len() < 2 {
            return;
        }
        let caps = self.pass.caps(documents.len());
        if caps {
            let sample = documents[..SAMPLE.min(documents.len())].to_vec();
            self.capped.push(Capped { table: self.table, key: key as u32, size: documents.len(), sample });
        }
        let mut fresh = || documents.len() < LARGE || self.large.insert(blake3::hash(bytemuck::cast_slice(documents)));
        if (!caps || self.pass.over == Over::Star) && fresh() {
            self.buckets.push(documents.iter().copied());
        }
    }
}
