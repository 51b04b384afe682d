//! Arranging: keys of one table after another become buckets, whatever their kind.

use crate::Result;
use crate::buckets::{Buckets, Capped, Stored};
use crate::group::group;
use crate::keys::rows::Stored as Rows;
use crate::keys::{Kind, Over};
use crate::near::{Members, Near};
use crate::pass::Pass;
use crate::segment::Segment;
use crate::segments::Segments;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

const SAMPLE: usize = 5;
/// Bytes an entry takes while it is grouped: itself twice, its share of the counting table, and its place in a bucket.
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
/// Buckets of fingerprints are thinned out to those that are near ([`crate::near`]) before they count as large.
pub fn arrange(segments: &Segments, pass: &Pass, takes_part: &(dyn Fn(u32) -> bool + Sync), memory: usize) -> Result<Arranged> {
    let nears: Vec<Option<Near<'_>>> = pass.kinds.iter().map(|kind| Near::new(pass, &kind.keys)).collect();
    let threads = rayon::current_num_threads();
    let mut units = Vec::new();
    let mut first_table = 0;
    for (number, (kind, near)) in pass.kinds.iter().zip(&nears).enumerate() {
        let tables = kind.keys.tables();
        let keys = segments.iter().filter_map(|(_, segment)| segment.rows(number)).map(Rows::len).sum::<usize>() / tables.max(1);
        let bytes = BYTES_PER_ENTRY + near.as_ref().map_or(0, Near::bytes);
        let wanted = keys.saturating_mul(bytes * threads).div_ceil(memory.max(1));
        let parts = wanted.max(threads.div_ceil(tables)).clamp(1, keys.max(1)) as u64;
        let keys = keys / parts as usize;
        let unit =
            move |table, part| Unit { segments, number, kind, near: near.as_ref(), first_table, table, part, parts, takes_part, keys };
        units.extend((0..tables).flat_map(|table| (0..parts).map(move |part| unit(table, part))));
        first_table += tables;
    }
    let grouped: Vec<Result<(Stored, Vec<Capped>)>> = units.into_par_iter().map(|unit| unit.arrange()).collect();
    let mut arranged = Arranged::default();
    for part in grouped {
        let (stored, mut capped) = part?;
        arranged.parts.push(stored);
        arranged.capped.append(&mut capped);
    }
    arranged.capped.sort_unstable();
    Ok(arranged)
}

/// What is grouped at once: the keys of one table whose values are in one part of all.
#[derive(Clone, Copy)]
struct Unit<'a> {
    segments: &'a Segments,
    /// The number of the kind of keys.
    number: usize,
    kind: &'a Kind,
    near: Option<&'a Near<'a>>,
    /// Tables of other kinds before.
    first_table: usize,
    /// Of this kind.
    table: usize,
    part: u64,
    parts: u64,
    takes_part: &'a (dyn Fn(u32) -> bool + Sync),
    /// About how many keys.
    keys: usize,
}

impl Unit<'_> {
    fn arrange(&self) -> Result<(Stored, Vec<Capped>)> {
        let table = self.first_table + self.table;
        let mut shelf = Shelf { kind: self.kind, table, buckets: Buckets::default(), capped: Vec::new() };
        match self.near.map(|near| (near, near.words())) {
            None => self.group(&mut shelf)?,
            Some((near, 1)) => self.group_near::<1>(near, &mut shelf)?,
            Some((near, 2)) => self.group_near::<2>(near, &mut shelf)?,
            Some((near, 6)) => self.group_near::<6>(near, &mut shelf)?,
            Some((near, _)) => self.group_near::<16>(near, &mut shelf)?,
        }
        Ok((shelf.buckets.store(self.segments.store())?, shelf.capped))
    }

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
            shelf.put(key(run[0]), &documents);
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
                near.split(self.table, &mut members, &mut |documents| shelf.put(key(run[0].0), documents));
            },
        );
        Ok(())
    }

    /// Calls `each` with the keys of a segment that take part and their documents.
    fn each(&self, first: u32, segment: &Segment, mut each: impl FnMut(u32, u32)) -> Result<()> {
        let Some(rows) = segment.rows(self.number) else { return Ok(()) };
        rows.each(self.segments.store(), self.table, first, segment.len(), |key, document| {
            if (u64::from(key) * self.parts) >> 32 == self.part && (self.takes_part)(document) {
                each(key, document);
            }
        })
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
    kind: &'a Kind,
    table: usize,
    buckets: Buckets,
    capped: Vec<Capped>,
}

impl Shelf<'_> {
    /// Takes documents that share a key, ascending.
    fn put(&mut self, key: u64, documents: &[u32]) {
        match self.kind.cap {
            _ if documents.len() < 2 => {}
            Some(cap) if documents.len() > cap as usize => {
                let sample = documents[..SAMPLE.min(documents.len())].to_vec();
                self.capped.push(Capped { table: self.table, key: key as u32, size: documents.len(), sample });
                if self.kind.over == Over::Star {
                    documents[1..].iter().for_each(|&document| self.buckets.push([documents[0], document]));
                }
            }
            _ => self.buckets.push(documents.iter().copied()),
        }
    }
}
