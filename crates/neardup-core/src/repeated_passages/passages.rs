//! Passages: consecutive repeated places with consecutive originals.

use super::first::{Later, place_of};
use super::partitioned::Partitioned;
use crate::Result;
use crate::util::ids::DocId;
use crate::util::store::Store;
use bytemuck::{Pod, Zeroable};

/// A repeated passage at a later place: a run of tokens that equals, token for token, the run at its original. The
/// first place of each of its N-grams is in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct LaterPassage {
    /// The document.
    pub document: DocId,
    /// Index of its first token in the document.
    pub start: u32,
    /// Number of tokens, at least N.
    pub tokens: u32,
    /// The document of the original.
    pub original: DocId,
    /// Index of the first token of the original.
    pub original_start: u32,
}

impl LaterPassage {
    /// Returns the index after its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }

    /// Returns the index after the last token of its original.
    pub fn original_end(&self) -> u32 {
        self.original_start + self.tokens
    }
}

/// Returns the passages of the documents of one block, ordered by place; `tokens` is N.
pub fn passages(store: &Store, later: &Partitioned<Later>, block: usize, tokens: usize) -> Result<Vec<LaterPassage>> {
    let mut places: Vec<Later> = Vec::with_capacity(later.count(store, block)?);
    later.each(store, block, |entry| {
        places.push(entry);
        Ok(())
    })?;
    // Places are distinct, so an unstable sort has one result.
    places.sort_unstable_by_key(|later| later[0]);
    // Consecutive on both sides. The last N-gram of a text is never consecutive to one of another text.
    let runs = places.chunk_by(|left, right| right[0] == left[0] + 1 && right[1] == left[1] + 1);
    Ok(runs.map(|run| passage(run, tokens)).collect())
}

fn passage(run: &[Later], tokens: usize) -> LaterPassage {
    let ((document, start), (original, original_start)) = (place_of(run[0][0]), place_of(run[0][1]));
    LaterPassage { document, start, tokens: (run.len() + tokens - 1) as u32, original, original_start }
}
