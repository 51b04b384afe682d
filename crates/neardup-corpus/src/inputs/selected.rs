use std::path::Path;

use crate::compression::Compression;
use crate::containers::Container;
use crate::format::Format;
use crate::formats::source_code::is_source_code;
use crate::formats::suffixes::kind;
use crate::inputs::find_options::{FindOptions, Selection};

/// What a file is that a folder, a pattern or a container yields.
pub(crate) enum Selected {
    /// A file of documents.
    File(Format, Compression),
    /// An archive that is read as a folder.
    Container,
    /// A file with an unknown suffix.
    Unknown,
    /// A file that is not wanted, with the reason.
    Unwanted(&'static str),
}

/// Returns what a file is, by its path and by its path below the searched folder.
pub(crate) fn select(path: &Path, below: &str, options: &FindOptions, selection: &Selection) -> Selected {
    if Container::of(path).is_some() {
        // What is to be included is asked of its files.
        return selection.excludes(below).map_or(Selected::Container, Selected::Unwanted);
    }
    let is_wanted = |format| options.source_code || selection.includes(below) || !is_source_code(format);
    match kind(path).filter(|(format, _)| is_wanted(*format)) {
        Some((format, compression)) => selection.refuses(below).map_or(Selected::File(format, compression), Selected::Unwanted),
        None => Selected::Unknown,
    }
}
