//! What can go wrong with what neardup writes.

use std::path::{Path, PathBuf};

/// An error of a file or folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What is there is not neardup's to replace or to remove; the message says what can be done.
    #[error("{0}")]
    Refused(String),
    /// A file or folder that cannot be written or read.
    #[error("{}: cannot {doing}: {reason}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, such as "write".
        doing: &'static str,
        /// What the system answered.
        reason: std::io::Error,
    },
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Makes an error of something that happened to a file.
    pub fn file(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |reason| Error::File { path, doing, reason }
    }

    /// Refuses a file or folder, for a reason.
    pub fn refused(path: &Path, reason: impl std::fmt::Display) -> Error {
        Error::Refused(format!("{}: {reason}", path.display()))
    }
}
