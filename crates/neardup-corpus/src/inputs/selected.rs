use std::path::Path;

use crate::compression::Compression;
use crate::containers::Container;
use crate::format::Format;
use crate::formats::source_code::is_source_code;
use crate::formats::suffixes::kind;
use crate::inputs::find_options::{FindOptions, FoundPath, Selection};

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

/// Reason for a source file that is not wanted.
const SOURCE_CODE: &str = "source code, which --scheme code or --include reads";

/// Returns what a file is, by its path and by where patterns find it.
pub(crate) fn select(path: &Path, found: &FoundPath<'_>, options: &FindOptions, selection: &Selection) -> Selected {
    if Container::of(path).is_some() {
        // What is to be included is asked of its files.
        return selection.excludes(found).map_or(Selected::Container, Selected::Unwanted);
    }
    let is_included = selection.includes(found);
    let refused = selection.refuses(found, is_included);
    match kind(path) {
        Some((format, _)) if is_source_code(format) && !options.source_code && !is_included => {
            Selected::Unwanted(refused.unwrap_or(SOURCE_CODE))
        }
        Some((format, compression)) => refused.map_or(Selected::File(format, compression), Selected::Unwanted),
        None => Selected::Unknown,
    }
}
