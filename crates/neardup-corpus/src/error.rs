use std::io;
use std::path::{Path, PathBuf};

use crate::reject::Reject;

/// Errors of finding, reading and writing documents.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input that does not exist.
    #[error("{}: there is no such file or folder", shown(.path))]
    Missing {
        /// The input as the user gave it.
        path: PathBuf,
    },
    /// A folder of which no file is read.
    #[error("{}: the folder holds no file of a known kind that is wanted{}; known are {known}", .path.display(), counted(.left))]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
        /// Counts of the files that are not read, by reason.
        left: String,
        /// The suffixes of all formats.
        known: String,
    },
    /// An archive of which no file is read, and that the user named.
    #[error("{}: the archive holds no file of a known kind that is wanted{}; known are {known}", .path.display(), counted(.left))]
    EmptyArchive {
        /// The archive.
        path: PathBuf,
        /// Counts of the files that are not read, by reason.
        left: String,
        /// The suffixes of all formats.
        known: String,
    },
    /// Archives of which no file is read, when there are no other files.
    #[error("no file of a known kind that is wanted was found{}; known are {known}", counted(.left))]
    NothingRead {
        /// Counts of the files that are not read, by reason.
        left: String,
        /// The suffixes of all formats.
        known: String,
    },
    /// A pattern that matches no file.
    #[error("{pattern}: no file matches this pattern")]
    NoMatch {
        /// The pattern as the user gave it.
        pattern: String,
    },
    /// A pattern of which no matching file is read.
    #[error("{pattern}: no file of a known kind that is wanted matches this pattern{}; known are {known}", counted(.left))]
    NoMatchRead {
        /// The pattern as the user gave it.
        pattern: String,
        /// Counts of the files that are not read, by reason.
        left: String,
        /// The suffixes of all formats.
        known: String,
    },
    /// A folder of results that is given as an input.
    #[error("{}: a result of neardup, not documents; the documents that it kept are in {}", .path.display(), .path.join("kept").display())]
    OfNeardup {
        /// The folder.
        path: PathBuf,
    },
    /// An invalid pattern.
    #[error("{pattern}: not a pattern: {reason}")]
    Pattern {
        /// The pattern as the user gave it.
        pattern: String,
        /// Why it is invalid.
        reason: String,
    },
    /// A file that the user named and whose suffix is unknown.
    #[error("{}: unknown kind of file; known are {known}", .path.display())]
    Suffix {
        /// The file.
        path: PathBuf,
        /// The suffixes of all formats.
        known: String,
    },
    /// Two inputs whose kept output is the same file.
    #[error("{first} and {second} would both be written to {}; give one of them, or run them apart", .target.display())]
    Target {
        /// Earlier input, as messages show it.
        first: String,
        /// Later input, as messages show it.
        second: String,
        /// Path below the output folder that both would use.
        target: PathBuf,
    },
    /// A file or folder that cannot be read or written.
    #[error("{}: cannot {doing}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operation that failed, such as "read".
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// A field that a table does not have.
    #[error("{name}: there is no field \"{field}\"; the fields are {available}")]
    Field {
        /// Name of the source, as messages show it.
        name: String,
        /// Requested field.
        field: String,
        /// Fields of the table.
        available: String,
    },
    /// A field that is to be added to a record that has it.
    #[error("{place}: there is a field \"{field}\" already; give the added one another name (add_fields, COLUMN=NAME)")]
    Taken {
        /// The source, or the place of the record.
        place: String,
        /// The field.
        field: String,
    },
    /// A value that an unquoted table cannot contain.
    #[error(
        "{place}: the field \"{field}\" would be {value:?}, with a delimiter or a line end, and the table has no quotes (quoted_tsv \
         gives it some)"
    )]
    Unwritable {
        /// The place of the record.
        place: String,
        /// The added field.
        field: String,
        /// Its value.
        value: String,
    },
    /// A column whose type does not fit its role.
    #[error("{name}: the field \"{field}\" is {found}; {role} must be {allowed}")]
    Kind {
        /// Name of the source, as messages show it.
        name: String,
        /// The field.
        field: String,
        /// Its type.
        found: String,
        /// Role of the column, such as "a text".
        role: &'static str,
        /// Types that the role allows.
        allowed: &'static str,
    },
    /// A record that cannot be used, when such records stop the run.
    #[error("{0}; mend it, or continue without such records: --on-error skip")]
    Data(Reject),
    /// A record that exceeds the memory of this machine. Another machine may have enough.
    #[error("{}: {}", .0.unit.place(&.0.source, .0.row), .0.reason)]
    TooLarge(Reject),
    /// A compressed stream that needs more memory than the run has.
    #[error("{name}: {reason}")]
    Memory {
        /// Name of the source, as messages show it.
        name: String,
        /// Memory that it needs.
        reason: String,
    },
    /// A new text that the encoding of its file cannot write.
    #[error("{name}: {encoding} cannot write {character:?}, which the new text has; convert the file to UTF-8 first")]
    Unencodable {
        /// Name of the source, as messages show it.
        name: String,
        /// Encoding of the source.
        encoding: String,
        /// The character.
        character: char,
    },
    /// A table or archive whose own structure is broken.
    #[error("{name}: {reason}")]
    Damaged {
        /// Name of the source, as messages show it.
        name: String,
        /// What is broken.
        reason: String,
    },
    /// A file that changed since it was first read.
    #[error("{}: the file changed while it was being worked on; run again when it is at rest", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A kind of input that the called function does not accept.
    #[error("{name}: {reason}")]
    Unsupported {
        /// Name of the source, as messages show it.
        name: String,
        /// Why it is not supported, or what is needed instead.
        reason: &'static str,
    },
    /// The extractor failed to turn HTML into texts.
    #[error("{name}: the extraction of text from HTML failed: {source}")]
    Extract {
        /// Name of the source, as messages show it.
        name: String,
        /// Error of the extractor.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The iterator of records or batches failed.
    #[error("{name}: the input failed: {source}")]
    Input {
        /// Name of the source, as messages show it.
        name: String,
        /// Error of the iterator.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The job was cancelled.
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

/// Returns a path as the user gave it. An empty path is shown as `""`, so that it is visible.
fn shown(path: &Path) -> std::borrow::Cow<'_, str> {
    if path.as_os_str().is_empty() { "\"\"".into() } else { path.to_string_lossy() }
}

/// Lists names in quotes, for a message.
pub(crate) fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ") }
}

/// Returns counts of files that are not read, for a message about the others.
fn counted(left: &str) -> String {
    if left.is_empty() { String::new() } else { format!(" (not read: {left})") }
}
