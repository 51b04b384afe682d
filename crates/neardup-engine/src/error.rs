//! What can go wrong with a run, sorted by whose move it is.

use std::path::{Path, PathBuf};

/// An error of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What was asked for cannot be done; the message says what can.
    #[error("{0}")]
    Usage(String),
    /// The data is at fault; the message names the place.
    #[error("{0}")]
    Data(String),
    /// A scheme, a number or a comparison.
    #[error(transparent)]
    Core(#[from] neardup_core::Error),
    /// Reading the corpus or writing what is kept.
    #[error(transparent)]
    Corpus(#[from] neardup_corpus::Error),
    /// The index that a run leaves.
    #[error(transparent)]
    Live(#[from] neardup_live::Error),
    /// A result or work file that cannot be written or read.
    #[error("{}: cannot {doing}: {reason}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system or a library said.
        reason: String,
    },
}

/// Whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The command, an option or a scheme: exit code 2.
    Usage,
    /// The data: exit code 1.
    Data,
    /// The disk, memory or files of the machine: exit code 1.
    Environment,
    /// Nobody's: the run was stopped and can go on. Exit code 130.
    Interrupted,
}

impl From<&neardup_live::Error> for Fault {
    fn from(error: &neardup_live::Error) -> Fault {
        use neardup_live::Error as Live;
        match error {
            Live::Usage(_) | Live::Core(_) => Fault::Usage,
            Live::Data(_) | Live::Damaged { .. } => Fault::Data,
            _ => Fault::Environment,
        }
    }
}

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whose move it is.
    pub fn fault(&self) -> Fault {
        use neardup_core::Error as Core;
        use neardup_corpus::Error as Corpus;
        match self {
            Error::Usage(_) => Fault::Usage,
            Error::Data(_) => Fault::Data,
            Error::File { .. } => Fault::Environment,
            Error::Core(Core::Interrupted) | Error::Corpus(Corpus::Cancelled) => Fault::Interrupted,
            Error::Core(Core::Store(_) | Core::Text(_)) => Fault::Environment,
            Error::Core(_) => Fault::Usage,
            Error::Corpus(Corpus::Io { .. } | Corpus::Changed { .. }) => Fault::Environment,
            Error::Corpus(Corpus::Suffix { .. } | Corpus::Pattern { .. } | Corpus::Target { .. } | Corpus::Unsupported { .. }) => {
                Fault::Usage
            }
            Error::Corpus(_) => Fault::Data,
            Error::Live(error) => Fault::from(error),
        }
    }

    /// The same error, told with the folder of the work files where it concerns them.
    pub fn at(self, work: &Path) -> Error {
        match self {
            Error::Core(neardup_core::Error::Store(error)) => Error::file(work, "write or read work files")(error),
            other => other,
        }
    }

    /// Makes an error of something that happened to a file.
    pub fn file<E: ToString>(path: &Path, doing: &'static str) -> impl FnOnce(E) -> Error + use<E> {
        let path = path.to_path_buf();
        move |reason| Error::File { path, doing, reason: reason.to_string() }
    }
}
