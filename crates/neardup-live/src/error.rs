//! What can go wrong with an index.

use crate::format::FORMATS;
use std::path::{Path, PathBuf};

/// An error of an index: what is wrong, where, and what is allowed instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What was asked for cannot be done; the message says what can.
    #[error("{0}")]
    Usage(String),
    /// A document that cannot be taken in.
    #[error("{0}")]
    Data(String),
    /// A file of the index is not as it was written.
    #[error("{}: damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where in it.
        what: String,
    },
    /// A file of an index that another version of neardup made.
    #[error("{}: this is format {found} of the index, and this neardup reads formats {} to {}", path.display(), FORMATS.start(), FORMATS.end())]
    Format {
        /// The file.
        path: PathBuf,
        /// The format it is of.
        found: u32,
    },
    /// A file that cannot be written or read.
    #[error("{}: cannot {doing}: {reason}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        reason: String,
    },
    /// A signal came while another had the right to write; nothing was done, and it may be asked for again.
    #[error("interrupted while another process wrote the index; nothing was done")]
    Interrupted,
    /// Another shard takes no part any more; what it was asked meanwhile does not count.
    #[error("another shard of the index stopped{0}: nothing of this request counts; ask all shards again")]
    Left(String),
    /// A scheme, a number or a comparison.
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
    /// Makes an error of something that happened to a file.
    pub fn file<E: ToString>(path: &Path, doing: &'static str) -> impl FnOnce(E) -> Error + use<E> {
        let path = path.to_path_buf();
        move |reason| Error::File { path, doing, reason: reason.to_string() }
    }

    /// The same error, for another caller that it concerns.
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

    /// A file that is not as it was written.
    pub fn damaged(path: &Path, what: impl Into<String>) -> Error {
        Error::Damaged { path: path.to_path_buf(), what: what.into() }
    }
}
