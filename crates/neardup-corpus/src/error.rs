use std::io;
use std::path::{Path, PathBuf};

use crate::reject::Reject;

/// What can go wrong between the files and the records.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input that is not there.
    #[error("{}: there is no such file or folder", shown(.path))]
    Missing {
        /// The input as the user gave it.
        path: PathBuf,
    },
    /// A folder without a single file of a known suffix.
    #[error("{}: the folder holds no file of a known kind; known are {known}", .path.display())]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
        /// The suffixes of all formats.
        known: String,
    },
    /// A pattern that matches no file of a known suffix.
    #[error("{pattern}: no file of a known kind matches this pattern; known are {known}")]
    NoMatch {
        /// The pattern as the user gave it.
        pattern: String,
        /// The suffixes of all formats.
        known: String,
    },
    /// A folder of results that is named as documents.
    #[error("{}: a result of neardup, not documents; the documents that it kept are in {}", .path.display(), .path.join("kept").display())]
    OfNeardup {
        /// The folder.
        path: PathBuf,
    },
    /// A pattern that cannot be read.
    #[error("{pattern}: not a pattern: {reason}")]
    Pattern {
        /// The pattern as the user gave it.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file named by the user whose suffix says nothing we know.
    #[error("{}: unknown kind of file; known are {known}", .path.display())]
    Suffix {
        /// The file.
        path: PathBuf,
        /// The suffixes of all formats.
        known: String,
    },
    /// Two inputs whose kept output would be the same file.
    #[error("{first} and {second} would both be written to {}; give one of them, or run them apart", .target.display())]
    Target {
        /// The earlier input, as shown.
        first: String,
        /// The later input, as shown.
        second: String,
        /// The path below the output folder that both would take.
        target: PathBuf,
    },
    /// A file or folder that cannot be read or written.
    #[error("{}: cannot {doing}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, such as "read".
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// A field that no record of a table has.
    #[error("{name}: there is no field \"{field}\"; the fields are {available}")]
    Field {
        /// The source as shown.
        name: String,
        /// The field that was asked for.
        field: String,
        /// The fields that are there.
        available: String,
    },
    /// A column that cannot serve as what it was asked for.
    #[error("{name}: the field \"{field}\" is {found}; {role} must be {allowed}")]
    Kind {
        /// The source as shown.
        name: String,
        /// The field.
        field: String,
        /// Its type.
        found: String,
        /// What it was to be, such as "a text".
        role: &'static str,
        /// The types that would do.
        allowed: &'static str,
    },
    /// A record that cannot be used, when such records are to stop the run.
    #[error("{0}; mend it, or go on without such records: --on-error skip")]
    Data(Reject),
    /// A record for which the memory is not enough; elsewhere it may be.
    #[error("{}: {}", .0.unit.place(&.0.source, .0.row), .0.reason)]
    TooLarge(Reject),
    /// A table or archive whose own structure is broken.
    #[error("{name}: {reason}")]
    Damaged {
        /// The source as shown.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file that no longer is what it was when it was first read.
    #[error("{}: the file changed while it was being worked on; run again when it is at rest", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A kind of input that this door does not take.
    #[error("{name}: {reason}")]
    Unsupported {
        /// The source as shown.
        name: String,
        /// What is needed instead.
        reason: &'static str,
    },
    /// HTML could not be turned into texts at all.
    #[error("{name}: the extraction of text from HTML failed: {source}")]
    Extract {
        /// The source as shown.
        name: String,
        /// The extractor's own error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The iterator that was to give records or batches failed.
    #[error("{name}: the input failed: {source}")]
    Input {
        /// The source as shown.
        name: String,
        /// The iterator's own error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The job was asked to stop.
    #[error("interrupted")]
    Cancelled,
}

/// A result, by default with this crate's [`enum@Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |source| Error::Io { path, doing, source }
    }
}

/// A path as it was given; an empty one must be seen, too.
fn shown(path: &Path) -> std::borrow::Cow<'_, str> {
    if path.as_os_str().is_empty() { "\"\"".into() } else { path.to_string_lossy() }
}

/// Names for a message, in quotes.
pub(crate) fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ") }
}
