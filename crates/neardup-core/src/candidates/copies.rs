//! Exact copies: documents with one token sequence, collapsed before anything else is compared.

use crate::Result;
use crate::signing::segments::Segments;
use crate::util::group::group;
use crate::util::ids::{DocId, Rank};
use rayon::prelude::*;

/// A digest, highest word first, and its document: 20 bytes, where a pair of them is padded to 32.
type CopyEntry = [u32; 5];

/// Bytes a document takes while it is grouped: its entry, twice, and its share of the counting table.
const BYTES_PER_ENTRY: usize = 72;

/// The lexically equal groups of a run.
#[derive(Debug, Default)]
pub struct Copies {
    /// (first, copy): `first` is the member that comes first in policy order; ascending.
    pub pairs: Vec<(DocId, DocId)>,
    is_copy: Vec<bool>,
}

impl Copies {
    /// Groups all documents by the digest of their token sequence (of their bytes, when they have no tokens), within
    /// about `memory` bytes; blank texts equal nothing, and documents for which `takes_part` fails are left out.
    /// `position` gives a document's place in policy order. The odds that two different texts share a 128-bit digest
    /// are n^2 / 2^129 for n texts.
    pub fn find(
        segments: &Segments,
        takes_part: &(dyn Fn(DocId) -> bool + Sync),
        position: &(dyn Fn(DocId) -> Rank + Sync),
        memory: usize,
    ) -> Result<Self> {
        let threads = rayon::current_num_threads();
        let wanted = segments.len().saturating_mul(BYTES_PER_ENTRY * threads).div_ceil(memory.max(1));
        let parts = wanted.max(threads).clamp(1, segments.len().max(1)) as u64;
        let grouped: Vec<Result<Vec<(DocId, DocId)>>> = (0..parts)
            .into_par_iter()
            .map(|part| {
                let in_part = |digest: u128| (u128::from((digest >> 64) as u64) * u128::from(parts)) >> 64 == u128::from(part);
                // A part holds some more or less than its share.
                let share = segments.len() / parts as usize;
                let mut entries: Vec<CopyEntry> = Vec::with_capacity(share + share / 64 + 64);
                for (first, segment) in segments.iter() {
                    let digests = segments.store().all(segment.lexical)?;
                    let counted =
                        |(document, digest)| (digest != 0 && in_part(digest) && takes_part(document)).then(|| entry(digest, document));
                    entries.extend(first.onwards().zip(digests).filter_map(counted));
                }
                Ok(equal(entries, position))
            })
            .collect();
        let mut pairs = Vec::new();
        for part in grouped {
            pairs.append(&mut part?);
        }
        pairs.sort_unstable();
        Ok(Copies::new(pairs, segments.len()))
    }

    /// The copies of a run of `documents`, from their ascending pairs.
    pub fn new(pairs: Vec<(DocId, DocId)>, documents: usize) -> Self {
        let mut is_copy = vec![false; documents];
        pairs.iter().for_each(|pair| is_copy[pair.1.index()] = true);
        Copies { pairs, is_copy }
    }

    /// Whether another document represents this one.
    pub fn is_copy(&self, document: DocId) -> bool {
        self.is_copy[document.index()]
    }

    /// The copies that `first` represents.
    pub fn of(&self, first: DocId) -> &[(DocId, DocId)] {
        let start = self.pairs.partition_point(|pair| pair.0 < first);
        let count = self.pairs[start..].partition_point(|pair| pair.0 == first);
        &self.pairs[start..start + count]
    }
}

fn entry(digest: u128, document: DocId) -> CopyEntry {
    [(digest >> 96) as u32, (digest >> 64) as u32, (digest >> 32) as u32, digest as u32, document.0]
}

/// Every group of equal digests as its first and each copy.
fn equal(entries: Vec<CopyEntry>, position: &dyn Fn(DocId) -> Rank) -> Vec<(DocId, DocId)> {
    let mut pairs = Vec::new();
    group(
        entries,
        |entry| u64::from(entry[0]) << 32 | u64::from(entry[1]),
        |run| {
            for equal in run.chunk_by(|left, right| left[..4] == right[..4]) {
                let first = equal.iter().map(|entry| DocId(entry[4])).min_by_key(|&document| position(document)).unwrap_or_default();
                pairs.extend(equal.iter().filter(|entry| entry[4] != first.0).map(|entry| (first, DocId(entry[4]))));
            }
        },
    );
    pairs
}
