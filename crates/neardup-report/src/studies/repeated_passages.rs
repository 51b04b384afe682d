//! The repeated passages of a corpus, as plain data.

use crate::Phase;
use serde::{Deserialize, Serialize};

/// What `neardup passages` found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RepeatedStudy {
    /// The version of neardup.
    pub neardup: String,
    /// How the run was asked for.
    pub command: Option<String>,
    /// What a token is.
    pub unit: String,
    /// Tokens of the shortest passage.
    pub tokens: u64,
    /// Into which pieces texts are cut: sentences, lines or tokens.
    pub cut: String,
    /// The digest of the result.
    pub digest: String,
    /// Documents of the input.
    pub documents: u64,
    /// Their tokens.
    pub all_tokens: u64,
    /// Distinct repeated passages.
    pub repeated: u64,
    /// Their later places.
    pub places: u64,
    /// Tokens in these, each counted once.
    pub repeated_tokens: u64,
    /// Documents with one of these.
    pub repeated_documents: u64,
    /// Tokens that are cut.
    pub removed_tokens: u64,
    /// Documents that are cut and stay.
    pub changed: u64,
    /// Documents that go as a whole.
    pub dropped: u64,
    /// The most repeated passages.
    pub passages: Vec<RepeatedPassage>,
    /// The phases of the run.
    pub phases: Vec<Phase>,
}

/// A passage that is at several places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatedPassage {
    /// At how many places.
    pub times: u64,
    /// In how many documents.
    pub documents: u64,
    /// Its tokens.
    pub tokens: u64,
    /// The document in which it is first.
    pub id: String,
    /// How it begins there.
    pub text: String,
    /// Whether that is all of it.
    pub is_whole: bool,
}
