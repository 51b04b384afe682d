use std::path::{Path, PathBuf};

use crate::compression::Compression;
use crate::format::Format;

/// One input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it can be opened; `-` for the standard input before [`crate::spool_stdin`].
    pub path: PathBuf,
    /// How it is shown: the path as given, or its path below the given folder or pattern, with `/`.
    pub name: String,
    /// Where its kept output belongs: its path below the common folder of all inputs.
    pub root_relative: PathBuf,
    /// How its documents are laid out.
    pub format: Format,
    /// How its bytes are compressed.
    pub compression: Compression,
    /// Its size on disk in bytes; 0 for the standard input before it is spooled.
    pub bytes: u64,
}

impl Source {
    /// Whether this is the standard input, still to be spooled.
    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Whether it can be read from any chunk of lines on.
    pub fn is_read_in_parts(&self) -> bool {
        self.format.has_records_in_lines() && self.compression == Compression::None
    }

    /// Whether it is read together with another: files that are one document each, of one format and compression.
    pub fn is_read_with(&self, other: &Source) -> bool {
        self.format.is_one_document() && (self.format, self.compression) == (other.format, other.compression)
    }
}
