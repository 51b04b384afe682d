//! Arranging: groups the keys of one table after another into buckets, for keys of any kind.

use crate::Result;
use crate::candidates::buckets::{Buckets, StoredBuckets};
use crate::candidates::large_buckets::{self, LargeBuckets, keep_first};
use crate::candidates::near_fingerprints::{BucketSplitter, FingerprintMembers};
use crate::keys::capped::CappedBucket;
use crate::keys::reach::{self, Reach};
use crate::keys::rows::StoredKeys as Rows;
use crate::keys::{KeyKind, OverCap};
use crate::pass::compiled::CompiledPass;
use crate::signing::segment::StoredChunk;
use crate::signing::segments::Segments;
use crate::util::group::{Grouping, group};
use crate::util::ids::DocId;
use crate::util::scratch_pool::ScratchPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

const SAMPLE: usize = 5;
/// Bytes per entry while it is grouped: the entry twice, its share of the counting table, and its place in a bucket.
const BYTES_PER_ENTRY: usize = 32;

/// The buckets of a corpus, in the store.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Arranged {
    /// The buckets, part by part.
    pub parts: Vec<StoredBuckets>,
    /// Keys above the cap.
    pub capped: Vec<CappedBucket>,
    /// Number of comparisons of two fingerprints that thinned out buckets.
    pub proposed: u64,
}

impl Arranged {
    /// Appends the buckets of one kind of keys. `first_table` is the number of its first table among those of all kinds.
    pub(crate) fn append(&mut self, kind: Arranged, first_table: usize) {
        self.parts.extend(kind.parts);
        self.proposed += kind.proposed;
        self.capped.extend(kind.capped.into_iter().map(|capped| CappedBucket { table: first_table + capped.table, ..capped }));
    }
}

/// Arranges the buckets of all documents for which `takes_part` returns true, within about `memory` bytes.
///
/// Keys are split by value, until the parts that run at once fit in memory. Every part is read, grouped, stored and
/// dropped. Buckets of fingerprints are thinned out to near ones ([`crate::candidates::near_fingerprints`]) before they
/// count as large.
pub fn arrange(segments: &Segments, pass: &CompiledPass, takes_part: &(dyn Fn(DocId) -> bool + Sync), memory: usize) -> Result<Arranged> {
    let mut arranged = Arranged::default();
    let mut first_table = 0;
    for (number, kind) in pass.kinds.iter().enumerate() {
        arranged.append(arrange_kind(segments, pass, number, takes_part, memory)?, first_table);
        first_table += kind.keys.tables();
    }
    Ok(arranged)
}

/// Arranges the buckets of one kind of keys. Tables are numbered within this kind.
pub(crate) fn arrange_kind(
    segments: &Segments,
    pass: &CompiledPass,
    number: usize,
    takes_part: &(dyn Fn(DocId) -> bool + Sync),
    memory: usize,
) -> Result<Arranged> {
    let kind = &pass.kinds[number];
    let near = BucketSplitter::new(pass, &kind.keys);
    let tables = kind.keys.tables();
    let keys = segments.iter().filter_map(|(_, segment)| segment.rows(number)).map(Rows::len).sum::<usize>() / tables.max(1);
    let threads = rayon::current_num_threads();
    let reach = if kind.keys.reach() { 2 * size_of::<Reach>() } else { 0 };
    let bytes = BYTES_PER_ENTRY + near.as_ref().map_or(reach, BucketSplitter::bytes);
    // A table in which every document has one key has no two equal buckets.
    let large = if kind.keys.fixed() { 0 } else { keys * large_buckets::BYTES_PER_ENTRY };
    let memory = memory.saturating_sub(large).max(memory / 2);
    let wanted = keys.saturating_mul(bytes * threads).div_ceil(memory.max(1));
    let parts = wanted.max(threads.div_ceil(tables)).clamp(1, keys.max(1)) as u64;
    let near = near.as_ref();
    let unit = |table, part| ArrangedPart { segments, number, kind, near, table, part, parts, takes_part, keys: keys / parts as usize };
    let units: Vec<ArrangedPart<'_>> =
        (0..tables).flat_map(|table| (0..parts).map(move |part| (table, part))).map(|(table, part)| unit(table, part)).collect();
    let (mut arranged, mut shelved) = (Arranged::default(), Vec::with_capacity(units.len()));
    let scratches = ScratchPool::default();
    for part in units.into_par_iter().map(|unit| unit.arrange(&scratches)).collect::<Vec<_>>() {
        let (stored, large, mut capped, proposed) = part?;
        shelved.push((stored, large));
        arranged.proposed += proposed;
        arranged.capped.append(&mut capped);
    }
    for table in shelved.chunk_by_mut(|one, other| one.0.table == other.0.table) {
        keep_first(table, segments.store())?;
    }
    arranged.parts = shelved.into_iter().map(|(stored, _)| stored).collect();
    arranged.capped.sort_unstable();
    Ok(arranged)
}

/// The unit of grouping: the keys of one table whose values are in one part of all values.
#[derive(Clone, Copy)]
struct ArrangedPart<'a> {
    segments: &'a Segments,
    /// Number of the kind of keys.
    number: usize,
    kind: &'a KeyKind,
    near: Option<&'a BucketSplitter<'a>>,
    table: usize,
    part: u64,
    parts: u64,
    takes_part: &'a (dyn Fn(DocId) -> bool + Sync),
    /// Approximate number of keys.
    keys: usize,
}

impl ArrangedPart<'_> {
    fn arrange(&self, scratches: &ScratchPool<Grouping<u64>>) -> Result<(StoredBuckets, LargeBuckets, Vec<CappedBucket>, u64)> {
        let ArrangedPart { kind, table, .. } = *self;
        let mut unit_buckets =
            UnitBuckets { kind, table, buckets: Buckets::default(), capped: Vec::new(), proposed: 0, large: LargeBuckets::default() };
        match self.near.map(|near| (near, near.words())) {
            None if kind.keys.reach() => self.group_reaching(&mut unit_buckets)?,
            None => scratches.with(Grouping::default, |scratch| self.group(scratch, &mut unit_buckets))?,
            Some((near, 1)) => self.group_near::<1>(near, &mut unit_buckets)?,
            Some((near, 2)) => self.group_near::<2>(near, &mut unit_buckets)?,
            Some((near, 6)) => self.group_near::<6>(near, &mut unit_buckets)?,
            Some((near, _)) => self.group_near::<16>(near, &mut unit_buckets)?,
        }
        let large = if kind.keys.fixed() { LargeBuckets::default() } else { unit_buckets.large.finish() };
        Ok((unit_buckets.buckets.store(self.segments.store(), self.number, table)?, large, unit_buckets.capped, unit_buckets.proposed))
    }

    fn group(&self, scratch: &mut Grouping<u64>, unit_buckets: &mut UnitBuckets<'_>) -> Result<()> {
        scratch.entries.clear();
        scratch.entries.reserve(self.keys);
        for (first, segment) in self.segments.iter() {
            self.each(first, segment, |key, document| scratch.entries.push(entry(key, document)))?;
        }
        let mut documents = Vec::new();
        scratch.runs(key, |run| {
            documents.clear();
            documents.extend(run.iter().map(|&entry| DocId(entry as u32)));
            documents.dedup();
            unit_buckets.put(key(run[0]), &documents);
        });
        Ok(())
    }

    /// Groups entries that carry how far their documents reach. Documents that reach no other one are dropped.
    fn group_reaching(&self, unit_buckets: &mut UnitBuckets<'_>) -> Result<()> {
        let mut entries: Vec<(u64, Reach)> = Vec::with_capacity(self.keys);
        for (first, segment) in self.segments.iter() {
            let Some(rows) = segment.rows(self.number) else { continue };
            let mut reaches = rows.reaches(self.segments.store())?.into_iter();
            rows.each(self.segments.store(), self.table, first, segment.len(), |key, document| {
                let reach = reaches.next().filter(|_| self.takes(key, document));
                entries.extend(reach.map(|reach| (entry(key, document), reach)));
            })?;
        }
        let (mut scratch, mut documents) = (reach::ReachScratch::default(), Vec::new());
        group(
            entries,
            |(entry, _)| key(entry),
            |run| {
                // If several features of a document have one key, the one from which it reaches furthest counts. It is the
                // last.
                let furthest = run.chunk_by(|left, right| left.0 == right.0).filter_map(<[_]>::last);
                documents.clear();
                scratch.partnered(furthest.map(|&(entry, reach)| (reach, DocId(entry as u32))), |document| documents.push(document));
                documents.sort_unstable();
                unit_buckets.put(key(run[0].0), &documents);
            },
        );
        Ok(())
    }

    /// Groups entries that carry their fingerprints of `W` words.
    fn group_near<const W: usize>(&self, near: &BucketSplitter<'_>, unit_buckets: &mut UnitBuckets<'_>) -> Result<()> {
        let mut entries: Vec<(u64, [u64; W])> = Vec::with_capacity(self.keys);
        for (first, segment) in self.segments.iter() {
            let fingerprints = near.fingerprints::<W>(self.segments.store(), segment)?;
            self.each(first, segment, |key, document| {
                entries.push((entry(key, document), fingerprints[(document.0 - first.0) as usize]));
            })?;
        }
        let mut members = FingerprintMembers::default();
        group(
            entries,
            |(entry, _)| key(entry),
            |run| {
                members.take(run.iter().map(|&(entry, fingerprint)| (DocId(entry as u32), fingerprint)));
                let looks = near.split(self.table, &mut members, &mut |documents| unit_buckets.put(key(run[0].0), documents));
                unit_buckets.proposed += looks;
            },
        );
        Ok(())
    }

    /// Calls `each` with the keys of a segment that take part, and their documents.
    fn each(&self, first: DocId, segment: &StoredChunk, mut each: impl FnMut(u32, DocId)) -> Result<()> {
        let Some(rows) = segment.rows(self.number) else { return Ok(()) };
        rows.each(self.segments.store(), self.table, first, segment.len(), |key, document| {
            if self.takes(key, document) {
                each(key, document);
            }
        })
    }

    fn takes(&self, key: u32, document: DocId) -> bool {
        (u64::from(key) * self.parts) >> 32 == self.part && (self.takes_part)(document)
    }
}

fn entry(key: u32, document: DocId) -> u64 {
    u64::from(key) << 32 | u64::from(document.0)
}

fn key(entry: u64) -> u64 {
    entry >> 32
}

/// The buckets of one unit.
struct UnitBuckets<'a> {
    kind: &'a KeyKind,
    table: usize,
    buckets: Buckets,
    capped: Vec<CappedBucket>,
    /// See [`Arranged::proposed`].
    proposed: u64,
    large: LargeBuckets,
}

impl UnitBuckets<'_> {
    /// Adds the documents that share a key, ascending.
    fn put(&mut self, key: u64, documents: &[DocId]) {
        if documents.len() < 2 {
            return;
        }
        let caps = self.kind.caps_key(self.table, key as u32, documents.len());
        if caps {
            let sample = documents[..SAMPLE.min(documents.len())].to_vec();
            self.capped.push(CappedBucket { table: self.table, key: key as u32, size: documents.len(), sample });
        }
        if (!caps || self.kind.over == OverCap::Star) && self.large.is_new(documents, self.buckets.len()) {
            self.buckets.push(documents.iter().copied());
        }
    }
}
