//! What was found: passages, what each repeats, and what is cut.

use super::finder::SearchEffort;
use bytemuck::{Pod, Zeroable};
use neardup_core::repeated_passages::passages::LaterPassage;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::List;
use serde::{Deserialize, Serialize};

/// A span of a text: first byte and one past the last, and the same in code points.
pub type SpanNumbers = [u32; 4];

/// What a run found, in the store: none of it need fit in memory.
#[derive(Serialize, Deserialize)]
pub struct PassageFindings {
    /// The passages at their later places, in order.
    pub passages: List<LaterPassage>,
    /// Where each of them is.
    pub stretches: List<FoundStretch>,
    /// What each of them repeats.
    pub homes: List<RepeatedOrigin>,
    /// The distinct passages, the most repeated first.
    pub repeated: List<DistinctPassage>,
    /// What is cut, in order.
    pub gaps: List<DocumentGap>,
    /// The documents that change, in order.
    pub changes: List<DocumentChange>,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Tokens that are in a passage at a later place.
    pub repeated_tokens: u64,
    /// Documents with such a passage.
    pub repeated_documents: u64,
    /// What was looked at.
    pub effort: SearchEffort,
}

/// A passage as its text has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FoundStretch {
    /// The digest of its tokens.
    pub digest: [u64; 2],
    /// Where it is.
    pub span: SpanNumbers,
}

/// What a passage at a later place repeats.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct RepeatedOrigin {
    /// The original there.
    pub original: FoundStretch,
    /// The number of the passage at the later place, from 0.
    pub passage: u32,
    /// The place of the original among the most repeated, from 1.
    pub rank: u32,
}

/// A distinct passage, at its first place.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct DistinctPassage {
    /// Its number in the order of first places, from 0.
    pub number: u32,
    /// At how many places it occurs.
    pub times: u32,
    /// How many tokens.
    pub tokens: u32,
    /// The document.
    pub document: DocId,
    /// Its first token there.
    pub start: u32,
    /// Where it is.
    pub span: SpanNumbers,
}

impl DistinctPassage {
    /// One past its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }
}

/// A run of a document that goes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct DocumentGap {
    /// The document.
    pub document: DocId,
    /// Where it is.
    pub span: SpanNumbers,
    /// How many tokens go.
    pub tokens: u32,
    /// 1 where a line feed takes its place, else 0.
    pub feed: u32,
}

/// A document that is cut or goes as a whole.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct DocumentChange {
    /// The document.
    pub document: DocId,
    /// Its tokens.
    pub tokens: u32,
    /// Those that are left.
    pub left: u32,
    /// 1 when it goes as a whole, else 0.
    pub goes: u32,
}

/// BLAKE3's first 16 bytes over token hashes: by it two runs of tokens are compared with each other.
pub fn token_digest(tokens: &[u64]) -> [u64; 2] {
    let hash = blake3::hash(bytemuck::cast_slice(tokens));
    let words = hash.as_bytes().as_chunks::<8>().0;
    [words[0], words[1]].map(u64::from_le_bytes)
}
