//! Errors of an index.

use crate::format::FORMATS;
use std::path::{Path, PathBuf};

/// An error of an index: what is wrong, where, and what is allowed instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is not possible. The message says what is.
    #[error("{0}")]
    Usage(String),
    /// A document that cannot be added.
    #[error("{0}")]
    Data(String),
    /// A file of the index does not contain what was written.
    #[error("{}: damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where in it.
        what: String,
    },
    /// A file of an index in a format that this version of neardup does not read.
    #[error("{}: this is format {found} of the index, and this neardup reads formats {} to {}", path.display(), FORMATS.start(), FORMATS.end())]
    Format {
        /// The file.
        path: PathBuf,
        /// The format of the file.
        found: u32,
    },
    /// A file that cannot be written or read.
    #[error("{}: cannot {doing}: {reason}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The operation that failed.
        doing: &'static str,
        /// The error of the system.
        reason: String,
    },
    /// A signal arrived while another process held the lock of the writer. Nothing was done, and the request may be repeated.
    #[error("interrupted while another process wrote the index; nothing was done")]
    Interrupted,
    /// Another shard left. Answers that it received or sent meanwhile do not count.
    #[error("another shard of the index stopped{0}: nothing of this request counts; ask all shards again")]
    Left(String),
    /// An error of a scheme, a number or a comparison.
    #[error(transparent)]
    Core(#[from] neardup_core::Error),
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl From<neardup_disk::Error> for Error {
    fn from(error: neardup_disk::Error) -> Error {
        match error {
            neardup_disk::Error::File { path, doing, reason } => Error::file(&path, doing)(reason),
            other => Error::Usage(other.to_string()),
        }
    }
}

impl Error {
    /// Returns a function that turns an error of a file into an [`Error`]. `doing` is the operation that failed.
    pub fn file<E: ToString>(path: &Path, doing: &'static str) -> impl FnOnce(E) -> Error + use<E> {
        let path = path.to_path_buf();
        move |reason| Error::File { path, doing, reason: reason.to_string() }
    }

    /// Returns a copy of the error, for another caller.
    pub fn again(&self) -> Error {
        match self {
            Error::Usage(message) => Error::Usage(message.clone()),
            Error::Data(message) => Error::Data(message.clone()),
            Error::Damaged { path, what } => Error::damaged(path, what),
            Error::Format { path, found } => Error::Format { path: path.clone(), found: *found },
            Error::File { path, doing, reason } => Error::File { path: path.clone(), doing, reason: reason.clone() },
            Error::Interrupted => Error::Interrupted,
            Error::Left(why) => Error::Left(why.clone()),
            Error::Core(error) => Error::Usage(error.to_string()),
        }
    }

    /// Creates an error for a file that does not contain what was written; `what` says what is wrong.
    pub fn damaged(path: &Path, what: impl Into<String>) -> Error {
        Error::Damaged { path: path.to_path_buf(), what: what.into() }
    }
}
