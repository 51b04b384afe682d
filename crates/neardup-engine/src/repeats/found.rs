//! What was found: passages with their spans, and what is cut.

use super::find::Effort;
use bytemuck::{Pod, Zeroable};
use neardup_core::repeats::passages::Passage;
use neardup_core::store::List;
use serde::{Deserialize, Serialize};

/// A span of a text: first byte and one past the last, and the same in code points.
pub type Span = [u32; 4];

/// What a run found, in the store.
#[derive(Default, Serialize, Deserialize)]
pub struct Found {
    /// The passages at their later places, in order.
    pub passages: List<Passage>,
    /// Where each of them stands.
    pub spans: List<Span>,
    /// Where the distinct originals stand, in the order of their places.
    pub originals: List<Span>,
    /// What is cut, in order.
    pub gaps: List<Gap>,
    /// The documents that change, in order.
    pub changes: List<Change>,
    /// Tokens of all documents.
    pub tokens: u64,
    /// Tokens that stand in a passage at a later place.
    pub repeated: u64,
    /// What was looked at.
    pub effort: Effort,
}

/// A run of a document that goes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Gap {
    /// The document.
    pub document: u32,
    /// Where it stands.
    pub span: Span,
    /// How many tokens go.
    pub tokens: u32,
    /// 1 where a line feed takes its place, else 0.
    pub feed: u32,
}

/// A document that is cut or goes as a whole.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Change {
    /// The document.
    pub document: u32,
    /// Its tokens.
    pub tokens: u32,
    /// Those that are left.
    pub left: u32,
    /// 1 when it goes as a whole, else 0.
    pub goes: u32,
}
