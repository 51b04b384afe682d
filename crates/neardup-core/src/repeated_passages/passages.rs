//! Passages: repeated places in a row whose originals are in a row.

use super::first::{Later, place_of};
use super::partitioned::Partitioned;
use crate::Result;
use crate::util::ids::DocId;
use crate::util::store::Store;
use bytemuck::{Pod, Zeroable};

/// A repeated passage at a later place: a run of tokens that is, token for token, at its original, every N-gram of which
/// occurs there for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct LaterPassage {
    /// The document.
    pub document: DocId,
    /// Its first token there.
    pub start: u32,
    /// How many tokens, N or more.
    pub tokens: u32,
    /// The document of the original.
    pub original: DocId,
    /// The first token there.
    pub original_start: u32,
}

impl LaterPassage {
    /// One past its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }

    /// One past the last token of its original.
    pub fn original_end(&self) -> u32 {
        self.original_start + self.tokens
    }
}

/// The passages of the documents of one block, by their places.
pub fn passages(store: &Store, later: &Partitioned<Later>, block: usize, tokens: usize) -> Result<Vec<LaterPassage>> {
    let mut places: Vec<Later> = Vec::with_capacity(later.count(store, block)?);
    later.each(store, block, |entry| {
        places.push(entry);
        Ok(())
    })?;
    // No place is repeated twice.
    places.sort_unstable_by_key(|later| later[0]);
    // Next to each other on both sides: the place of a text's last N-gram is not next to any of another text.
    let runs = places.chunk_by(|left, right| right[0] == left[0] + 1 && right[1] == left[1] + 1);
    Ok(runs.map(|run| passage(run, tokens)).collect())
}

fn passage(run: &[Later], tokens: usize) -> LaterPassage {
    let ((document, start), (original, original_start)) = (place_of(run[0][0]), place_of(run[0][1]));
    LaterPassage { document, start, tokens: (run.len() + tokens - 1) as u32, original, original_start }
}
