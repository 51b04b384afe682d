//! Exact copies: documents with equal token sequences, which are set aside before anything else is compared.

use crate::Result;
use crate::signing::segments::Segments;
use crate::util::group::group;
use crate::util::ids::{DocId, Rank};
use rayon::prelude::*;

/// A digest, highest word first, and its document: 20 bytes. A tuple of both would be padded to 32.
type CopyEntry = [u32; 5];

/// Bytes per document while it is grouped: its entry twice, and its share of the counting table.
const BYTES_PER_ENTRY: usize = 72;

/// The groups of lexically equal documents of a run.
#[derive(Debug, Default)]
pub struct Copies {
    /// (first, copy), ascending. `first` is the member that comes first in policy order.
    pub pairs: Vec<(DocId, DocId)>,
    is_copy: Vec<bool>,
}

impl Copies {
    /// Groups all documents by the digest of their token sequence, or of their bytes if they have no tokens, within about
    /// `memory` bytes.
    ///
    /// Blank texts equal nothing. Documents for which `takes_part` returns false are left out. `position` returns a
    /// document's place in policy order. For n texts, the probability that two different ones share a 128-bit digest is
    /// n^2 / 2^129.
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
                // The size of a part differs slightly from its share.
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

    /// Creates the copies of a run of `documents` documents from their ascending pairs.
    pub fn new(pairs: Vec<(DocId, DocId)>, documents: usize) -> Self {
        let mut is_copy = vec![false; documents];
        pairs.iter().for_each(|pair| is_copy[pair.1.index()] = true);
        Copies { pairs, is_copy }
    }

    /// Whether another document represents this one.
    pub fn is_copy(&self, document: DocId) -> bool {
        self.is_copy[document.index()]
    }

    /// Returns the pairs of `first` with its copies.
    pub fn of(&self, first: DocId) -> &[(DocId, DocId)] {
        let start = self.pairs.partition_point(|pair| pair.0 < first);
        let count = self.pairs[start..].partition_point(|pair| pair.0 == first);
        &self.pairs[start..start + count]
    }
}

fn entry(digest: u128, document: DocId) -> CopyEntry {
    [(digest >> 96) as u32, (digest >> 64) as u32, (digest >> 32) as u32, digest as u32, document.0]
}

/// Returns every group of equal digests as pairs of its first document and each copy.
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
