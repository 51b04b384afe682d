use std::path::{Path, PathBuf};

use crate::compression::Compression;
use crate::format::Format;

/// One input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path by which it is opened. It is `-` for the standard input before [`crate::spool_stdin`].
    pub path: PathBuf,
    /// Name in messages: the path as given, or its path below the given folder or pattern, with `/`.
    pub name: String,
    /// Path of its kept output: its path below the common folder of all inputs.
    pub root_relative: PathBuf,
    /// Format of its documents.
    pub format: Format,
    /// Compression of its bytes.
    pub compression: Compression,
    /// Size on disk in bytes. It is 0 for the standard input before it is spooled.
    pub bytes: u64,
}

/// Returns the paths of the web archives among sources.
pub fn archives(sources: &[Source]) -> impl Iterator<Item = PathBuf> {
    sources.iter().filter(|source| source.format.is_archive()).map(|source| source.path.clone())
}

impl Source {
    /// Whether this is the standard input, not yet spooled.
    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Whether each chunk of its lines can be read independently of the others.
    pub fn is_read_in_parts(&self) -> bool {
        self.format.has_records_in_lines() && self.compression == Compression::None
    }

    /// Whether it is read together with `other`. Files that are one document each are, if they have the same format and
    /// compression.
    pub fn is_read_with(&self, other: &Source) -> bool {
        self.format.is_one_document() && (self.format, self.compression) == (other.format, other.compression)
    }
}
