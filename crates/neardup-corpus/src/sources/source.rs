use std::path::{Path, PathBuf};

use crate::format::{Compression, Format};

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
}
