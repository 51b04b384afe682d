//! Errors in what a user wrote: schemes, numbers, seeds and files.

use std::path::PathBuf;

/// An error with what was written and what is allowed instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A scheme line that cannot be parsed, or that cannot work.
    #[error("scheme, column {column}, {stage} `{written}`: {reason}")]
    Scheme {
        /// The stage at fault: tokens, features, signature, keys, measure, or pass.
        stage: &'static str,
        /// The stage as written; empty if it is missing.
        written: String,
        /// Column at which it starts in the line, in characters, from 1.
        column: usize,
        /// What is wrong and what is allowed.
        reason: String,
    },
    /// A text that is not a number, or a number out of range.
    #[error("`{written}` is not {allowed}")]
    Number {
        /// The text that was read.
        written: String,
        /// Description of the allowed values.
        allowed: &'static str,
    },
    /// A recall that no keys of the scheme can promise.
    #[error("recall {recall} at threshold {threshold}: {reason}")]
    Promise {
        /// The threshold at which the recall is required; `none` if the scheme has no resemblance threshold.
        threshold: String,
        /// The required recall.
        recall: String,
        /// Why it cannot be promised, and what to do instead.
        reason: String,
    },
    /// A secret seed that is not available.
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
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file that a scheme names and that cannot be used.
    #[error("{what} {}: {reason}", path.display())]
    File {
        /// Kind of file.
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
