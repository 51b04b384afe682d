//! Exact copies: documents with one token sequence, collapsed before anything else is compared.

use crate::Result;
use crate::group::group;
use crate::segments::Segments;
use rayon::prelude::*;

/// Bytes a document takes while it is grouped: its digest and its number, twice, and its share of the counting table.
const BYTES_PER_ENTRY: usize = 72;

/// The lexically equal groups of a run.
#[derive(Debug, Default)]
pub struct Copies {
    /// (first, copy): `first` is the member that comes first in policy order; ascending.
    pub pairs: Vec<(u32, u32)>,
    is_copy: Vec<bool>,
}

impl Copies {
    /// Groups all documents by the digest of their token sequence (of their bytes, when they have no tokens), within
    /// about `memory` bytes; blank texts equal nothing, and documents for which `takes_part` fails are left out.
    /// `position` gives a document's place in policy order. The odds that two different texts share a 128-bit digest
    /// are n^2 / 2^129 for n texts.
    pub fn find(
        segments: &Segments,
        takes_part: &(dyn Fn(u32) -> bool + Sync),
        position: &(dyn Fn(u32) -> u32 + Sync),
        memory: usize,
    ) -> Result<Self> {
        let threads = rayon::current_num_threads();
        let wanted = segments.len().saturating_mul(BYTES_PER_ENTRY * threads).div_ceil(memory.max(1));
        let parts = wanted.max(threads).clamp(1, segments.len().max(1)) as u64;
        let grouped: Vec<Result<Vec<(u32, u32)>>> = (0..parts)
            .into_par_iter()
            .map(|part| {
                let in_part = |digest: u128| (u128::from((digest >> 64) as u64) * u128::from(parts)) >> 64 == u128::from(part);
                let mut entries: Vec<(u128, u32)> = Vec::new();
                for (first, segment) in segments.iter() {
                    let digests = segments.store().all(segment.lexical)?;
                    let entry = |(document, digest)| (digest != 0 && in_part(digest) && takes_part(document)).then_some((digest, document));
                    entries.extend((first..).zip(digests).filter_map(entry));
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
    pub fn new(pairs: Vec<(u32, u32)>, documents: usize) -> Self {
        let mut is_copy = vec![false; documents];
        pairs.iter().for_each(|pair| is_copy[pair.1 as usize] = true);
        Copies { pairs, is_copy }
    }

    /// Whether another document stands for this one.
    pub fn is_copy(&self, document: u32) -> bool {
        self.is_copy[document as usize]
    }

    /// The copies that `first` stands for.
    pub fn of(&self, first: u32) -> &[(u32, u32)] {
        let start = self.pairs.partition_point(|pair| pair.0 < first);
        let count = self.pairs[start..].partition_point(|pair| pair.0 == first);
        &self.pairs[start..start + count]
    }
}

/// Every group of equal digests as its first and each copy.
fn equal(entries: Vec<(u128, u32)>, position: &dyn Fn(u32) -> u32) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    group(
        entries,
        |(digest, _)| (digest >> 64) as u64,
        |run| {
            for equal in run.chunk_by(|left, right| left.0 == right.0) {
                let first = equal.iter().map(|entry| entry.1).min_by_key(|&document| position(document)).unwrap_or(0);
                pairs.extend(equal.iter().filter(|entry| entry.1 != first).map(|entry| (first, entry.1)));
            }
        },
    );
    pairs
}
