//! Findings: passages, their originals, and the cuts.

use super::finder::SearchEffort;
use bytemuck::{Pod, Zeroable};
use neardup_core::repeated_passages::passages::LaterPassage;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::List;
use serde::{Deserialize, Serialize};

/// A span of a text: its first byte and one past its last byte, then the same in code points.
pub type SpanNumbers = [u32; 4];

/// Findings of a run, in the store. They need not fit in memory.
#[derive(Serialize, Deserialize)]
pub struct PassageFindings {
    /// The passages at their later places, in order.
    pub passages: List<LaterPassage>,
    /// Place of each of these passages.
    pub stretches: List<FoundStretch>,
    /// Original of each of these passages.
    pub homes: List<RepeatedOrigin>,
    /// Distinct passages, the most repeated first.
    pub repeated: List<DistinctPassage>,
    /// Cuts, in order.
    pub gaps: List<DocumentGap>,
    /// Documents that change, in order.
    pub changes: List<DocumentChange>,
    /// Number of tokens of all documents.
    pub tokens: u64,
    /// Number of tokens that are in a passage at a later place.
    pub repeated_tokens: u64,
    /// Number of documents with such a passage.
    pub repeated_documents: u64,
    /// Effort of the search.
    pub effort: SearchEffort,
}

/// A passage in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FoundStretch {
    /// Digest of its tokens.
    pub digest: [u64; 2],
    /// Its span in the text.
    pub span: SpanNumbers,
}

/// The original of a passage at a later place.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct RepeatedOrigin {
    /// The original at its first place.
    pub original: FoundStretch,
    /// Number of the passage at the later place, from 0.
    pub passage: u32,
    /// Place of the original among the most repeated, from 1.
    pub rank: u32,
}

/// A distinct passage at its first place.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct DistinctPassage {
    /// Its number in the order of first places, from 0.
    pub number: u32,
    /// Number of places at which it occurs.
    pub times: u32,
    /// Number of tokens.
    pub tokens: u32,
    /// The document.
    pub document: DocId,
    /// Its first token there.
    pub start: u32,
    /// Its span in the text.
    pub span: SpanNumbers,
}

impl DistinctPassage {
    /// Returns the place one past its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }
}

/// A run of a document that is removed.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct DocumentGap {
    /// The document.
    pub document: DocId,
    /// Its span in the text.
    pub span: SpanNumbers,
    /// Number of tokens that are removed.
    pub tokens: u32,
    /// 1 if a line feed takes its place, otherwise 0.
    pub feed: u32,
}

/// A document that is cut, or dropped as a whole.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct DocumentChange {
    /// The document.
    pub document: DocId,
    /// Number of its tokens.
    pub tokens: u32,
    /// Number of tokens that are left.
    pub left: u32,
    /// 1 if it is dropped as a whole, otherwise 0.
    pub goes: u32,
}

/// Returns the first 16 bytes of BLAKE3 over token hashes. Two runs of tokens are compared by it.
pub fn token_digest(tokens: &[u64]) -> [u64; 2] {
    let hash = blake3::hash(bytemuck::cast_slice(tokens));
    let words = hash.as_bytes().as_chunks::<8>().0;
    [words[0], words[1]].map(u64::from_le_bytes)
}
