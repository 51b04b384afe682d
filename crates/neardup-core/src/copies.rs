//! Exact copies: documents with one token sequence, collapsed before anything else is compared.

use crate::Result;
use crate::group::group;
use crate::segments::Segments;

/// The lexically equal groups of a run.
#[derive(Debug, Default)]
pub struct Copies {
    /// (first, copy): `first` is the member that comes first in policy order; ascending.
    pub pairs: Vec<(u32, u32)>,
    is_copy: Vec<bool>,
}

impl Copies {
    /// Groups all documents by the digest of their token sequence (of their bytes, when they have no tokens); blank
    /// texts equal nothing, and documents for which `takes_part` fails are left out. `position` gives a document's place in policy order. The odds that two different texts
    /// share a 128-bit digest are n^2 / 2^129 for n texts.
    pub fn find(segments: &Segments, takes_part: &(dyn Fn(u32) -> bool + Sync), position: &(dyn Fn(u32) -> u32 + Sync)) -> Result<Self> {
        let digests = segments.column(|segment| segment.lexical)?;
        let entries: Vec<(u128, u32)> = (0..)
            .zip(&digests)
            .filter(|(document, digest)| **digest != 0 && takes_part(*document))
            .map(|(document, &digest)| (digest, document))
            .collect();
        let mut copies = Copies { pairs: Vec::new(), is_copy: vec![false; digests.len()] };
        group(
            entries,
            |(digest, _)| (digest >> 64) as u64,
            |run| {
                for equal in run.chunk_by(|left, right| left.0 == right.0) {
                    let first = equal.iter().map(|entry| entry.1).min_by_key(|&document| position(document)).unwrap_or(0);
                    for &(_, document) in equal.iter().filter(|entry| entry.1 != first) {
                        copies.pairs.push((first, document));
                        copies.is_copy[document as usize] = true;
                    }
                }
            },
        );
        copies.pairs.sort_unstable();
        Ok(copies)
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
