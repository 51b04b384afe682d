//! Errors of the files and folders that neardup writes.

use std::path::{Path, PathBuf};

/// An error of a file or folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder is not neardup's to replace or to remove. The message says what the user can do.
    #[error("{0}")]
    Refused(String),
    /// A file or folder that cannot be written or read.
    #[error("{}: cannot {doing}: {reason}", path.display())]
    File {
        /// The path of the file or folder.
        path: PathBuf,
        /// The operation that failed, such as "write".
        doing: &'static str,
        /// The error of the operating system.
        reason: std::io::Error,
    },
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Returns a function that turns an I/O error of the file at `path` into an [`Error`].
    pub fn file(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |reason| Error::File { path, doing, reason }
    }

    /// Refuses the file or folder at `path`; `reason` says why.
    pub fn refused(path: &Path, reason: impl std::fmt::Display) -> Error {
        Error::Refused(format!("{}: {reason}", path.display()))
    }
}
