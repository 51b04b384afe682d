//! What can be wrong with what a user wrote.

use std::path::PathBuf;

/// An error of a scheme, a number or a seed: what was written, and what is allowed instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A scheme line that cannot be read, or that could not work.
    #[error("scheme, column {column}, {stage} `{written}`: {reason}")]
    Scheme {
        /// The stage at fault: tokens, features, signature, keys, measure, or pass.
        stage: &'static str,
        /// The stage as it was written; empty when it is missing.
        written: String,
        /// Where it starts in the line, in characters, from 1.
        column: usize,
        /// What is wrong and what is allowed.
        reason: String,
    },
    /// A number that is none, or is out of range.
    #[error("`{written}` is not {allowed}")]
    Number {
        /// The text that was read.
        written: String,
        /// What it should have been.
        allowed: &'static str,
    },
    /// A recall that no keys of the scheme can promise.
    #[error("recall {recall} at threshold {threshold}: {reason}")]
    Promise {
        /// The threshold the recall is asked at; `none` when the scheme has no resemblance threshold.
        threshold: String,
        /// The recall asked for.
        recall: String,
        /// Why it cannot be promised and what can be done.
        reason: String,
    },
    /// A secret seed that cannot be had.
    #[error("seed {written}: {reason}")]
    Seed {
        /// The seed as a scheme writes it: `file:PATH` or `check:VALUE`.
        written: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A seed file that cannot be read.
    #[error("seed file {}: {source}", path.display())]
    SeedFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that a scheme names and that cannot be used.
    #[error("{what} {}: {reason}", path.display())]
    File {
        /// What it should hold.
        what: &'static str,
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The work file of a run cannot be read or written.
    #[error("work file: {0}")]
    Store(#[from] std::io::Error),
    /// A text cannot be read again.
    #[error(transparent)]
    Text(Box<dyn std::error::Error + Send + Sync>),
    /// The work was stopped from outside.
    #[error("interrupted")]
    Interrupted,
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
