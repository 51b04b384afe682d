//! The errors of a run, classified by who has to act.

use std::path::{Path, PathBuf};

/// An error of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request cannot be fulfilled; the message says what can be done.
    #[error("{0}")]
    Usage(String),
    /// An error in the data; the message names the place.
    #[error("{0}")]
    Data(String),
    /// An error in a scheme, a number or a comparison.
    #[error(transparent)]
    Core(#[from] neardup_core::Error),
    /// An error while reading the corpus or writing kept records.
    #[error(transparent)]
    Corpus(#[from] neardup_corpus::Error),
    /// An error of the index that a run writes.
    #[error(transparent)]
    Live(#[from] neardup_live::Error),
    /// The disk is full.
    #[error("{reason}\nno room is left in {}, which holds {}; make room and give the same command again: it {}", folder.display(), megabytes(*stored), if *resumes { "resumes where it was" } else { "starts anew" })]
    Full {
        /// The folder of the results and work files.
        folder: PathBuf,
        /// Number of bytes in it.
        stored: u64,
        /// Whether it contains anything to resume.
        resumes: bool,
        /// Message of the operation that failed.
        reason: String,
    },
    /// The disk has too little room for what is still to be written.
    #[error("{0}")]
    NoRoom(String),
    /// A result or work file cannot be written or read.
    #[error("{}: cannot {doing}: {reason}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The operation that failed.
        doing: &'static str,
        /// Message of the system or a library.
        reason: String,
    },
}

impl From<neardup_disk::Error> for Error {
    fn from(error: neardup_disk::Error) -> Error {
        match error {
            neardup_disk::Error::File { path, doing, reason } => Error::file(&path, doing)(reason),
            other => Error::Usage(other.to_string()),
        }
    }
}

/// Where the cause of an error is, and so who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The command, an option or a scheme: exit code 2.
    Usage,
    /// The data: exit code 1.
    Data,
    /// The disk, memory or files of the machine: exit code 1.
    Environment,
    /// No fault: the run was stopped and can continue. Exit code 130.
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
    /// Returns where the cause of the error is.
    pub fn fault(&self) -> Fault {
        use neardup_core::Error as Core;
        use neardup_corpus::Error as Corpus;
        match self {
            Error::Usage(_) => Fault::Usage,
            Error::Data(_) => Fault::Data,
            Error::NoRoom(_) | Error::File { .. } | Error::Full { .. } => Fault::Environment,
            Error::Core(Core::Interrupted) | Error::Corpus(Corpus::Cancelled) => Fault::Interrupted,
            Error::Core(Core::Store(_) | Core::Text(_)) => Fault::Environment,
            Error::Core(_) => Fault::Usage,
            Error::Corpus(Corpus::Io { .. } | Corpus::Changed { .. }) => Fault::Environment,
            Error::Corpus(
                Corpus::Suffix { .. }
                | Corpus::OfNeardup { .. }
                | Corpus::Pattern { .. }
                | Corpus::Target { .. }
                | Corpus::Unsupported { .. }
                | Corpus::TooLarge(_),
            ) => Fault::Usage,
            Error::Corpus(_) => Fault::Data,
            Error::Live(error) => Fault::from(error),
        }
    }

    /// Returns the same error; if it concerns work files, it names their folder.
    pub fn at(self, work: &Path) -> Error {
        match self {
            Error::Core(neardup_core::Error::Store(error)) => Error::file(work, "write or read work files")(error),
            other => other,
        }
    }

    /// Returns the same error; if it says that the disk is full, it names the folder that everything is written to.
    pub fn in_folder(self, folder: &Path, resumes: impl FnOnce() -> bool) -> Error {
        let reason = self.to_string();
        if !matches!(self, Error::NoRoom(_)) && !tells_of_no_room(&reason) {
            return self;
        }
        let files = walkdir::WalkDir::new(folder).into_iter().filter_map(|entry| entry.ok()?.metadata().ok());
        let stored = files.filter(std::fs::Metadata::is_file).map(|file| file.len()).sum();
        Error::Full { folder: folder.to_path_buf(), stored, resumes: resumes(), reason }
    }

    /// Returns a function that makes an error of a failed operation on a file.
    pub fn file<E: ToString>(path: &Path, doing: &'static str) -> impl FnOnce(E) -> Error + use<E> {
        let path = path.to_path_buf();
        move |reason| Error::File { path, doing, reason: reason.to_string() }
    }
}

/// Whether a message of the system says that a disk or a quota is full, or that a file is too large. Libraries pass on its
/// text, not always the number of its error; but the text contains the number.
fn tells_of_no_room(reason: &str) -> bool {
    use std::io::{Error, ErrorKind};
    let numbers = reason.split("(os error ").skip(1).filter_map(|rest| rest.split(')').next()?.parse().ok());
    let mut kinds = numbers.map(|number| Error::from_raw_os_error(number).kind());
    kinds.any(|kind| matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge))
}

/// Returns a size as messages show it, rounded up.
pub fn megabytes(bytes: u64) -> String {
    format!("{}M", bytes.div_ceil(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_disk_is_told_with_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("columns"), vec![0; 3 << 20]).unwrap();
        let told = |number: i32| {
            let system = std::io::Error::from_raw_os_error(number);
            let parquet = parquet::errors::ParquetError::from(system);
            Error::file(Path::new("here/pairs.parquet"), "write")(parquet).in_folder(folder.path(), || true)
        };
        let full = told(28);
        assert_eq!(full.fault(), Fault::Environment);
        let message = full.to_string();
        let expected = format!(
            "no room is left in {}, which holds 3M; make room and give the same command again: it resumes where it was",
            folder.path().display()
        );
        assert!(message.starts_with("here/pairs.parquet: cannot write: "), "{message}");
        assert!(message.ends_with(&expected), "{message}");
        assert!(!told(13).to_string().contains("room"));
    }
}
