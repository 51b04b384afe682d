//! The repeated passages of a corpus, as plain data.

use crate::Phase;
use serde::{Deserialize, Serialize};

/// The result of `neardup passages`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RepeatedStudy {
    /// Version of neardup.
    pub neardup: String,
    /// The command of the run.
    pub command: Option<String>,
    /// Unit of the tokens.
    pub unit: String,
    /// Number of tokens of the shortest passage.
    pub tokens: u64,
    /// Kind of the pieces that are cut: sentences, lines or tokens.
    pub cut: String,
    /// Digest of the result.
    pub digest: String,
    /// Number of input documents.
    pub documents: u64,
    /// Number of their tokens.
    pub all_tokens: u64,
    /// Number of distinct repeated passages.
    pub repeated: u64,
    /// Number of their later places.
    pub places: u64,
    /// Number of tokens at later places, each counted once.
    pub repeated_tokens: u64,
    /// Number of documents with a passage at a later place.
    pub repeated_documents: u64,
    /// Number of tokens that are cut.
    pub removed_tokens: u64,
    /// Number of documents that are cut and kept.
    pub changed: u64,
    /// Number of documents that are dropped as a whole.
    pub dropped: u64,
    /// The most repeated passages.
    pub passages: Vec<RepeatedPassage>,
    /// The phases of the run.
    pub phases: Vec<Phase>,
}

/// A passage that occurs at several places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatedPassage {
    /// Number of places at which it occurs.
    pub times: u64,
    /// Number of documents in which it occurs.
    pub documents: u64,
    /// Number of its tokens.
    pub tokens: u64,
    /// Id of the document in which it occurs first.
    pub id: String,
    /// Its beginning there.
    pub text: String,
    /// Whether that is the whole passage.
    pub is_whole: bool,
}
