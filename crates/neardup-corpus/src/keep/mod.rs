mod bytes;
mod edit;
mod packed;
mod retext;
mod rewrite;
mod rows;

pub use edit::Edit;
pub use rewrite::{rewrite, rewrites};

use std::fs::File;
use std::path::Path;

use crate::control::Control;
use crate::error::{Error, Result};
use crate::format::{Compression, Format};
use crate::records::place::Span;
use crate::sources::source::Source;

/// The span of a Parquet file of which nothing can be read.
const UNREADABLE: Span = Span { offset: 0, len: 1 };

/// What was written of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The size of the written file; 0 when none was.
    pub bytes: u64,
    /// Whether there is a file at all: a file that is one document is not written when that is dropped, nor is a Parquet file
    /// of which nothing can be read.
    pub written: bool,
}

/// Writes `source` to `target` without the records in `dropped`, which are in order and do not overlap.
///
/// The spans are those of [`crate::Record`]: bytes of the source when decompressed, rows of Parquet; of an archive,
/// bytes as it stands on disk (whole gzip members). Everything that is no dropped record stays: headers, blank lines, records without a document.
/// Line formats stay byte for byte and are compressed anew in the same format; Parquet keeps values, schema,
/// metadata and compression. Missing folders above `target` are made; `control` counts the bytes taken in.
/// A compressed source that breaks off, and a Parquet file, is kept up to there when the last span says so, as that of its reject does.
/// Errors: reading or writing fails, the source is damaged or shorter than its spans, the job is cancelled.
pub fn keep(source: &Source, dropped: &[Span], target: &Path, threads: usize, control: &Control) -> Result<Kept> {
    let whole_files = matches!(source.format, Format::Plain | Format::Markup);
    if whole_files && !dropped.is_empty() {
        control.add_bytes(source.bytes);
        return Ok(Kept { bytes: 0, written: false });
    }
    if source.format == Format::Parquet && dropped == [UNREADABLE] && rows::is_unreadable(source) {
        control.add_bytes(source.bytes);
        return Ok(Kept { bytes: 0, written: false });
    }
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
    }
    let output = File::create(target).map_err(Error::io(target, "write"))?;
    let copied_as_it_stands = whole_files || source.format == Format::Archive || dropped.is_empty();
    match (source.format, source.compression) {
        _ if copied_as_it_stands => {
            bytes::keep(source, dropped, &output, target, threads, control)?;
            packed::fill_empty(source.compression, &output).map_err(Error::io(target, "write"))?;
        }
        (Format::Parquet, _) => rows::keep(source, dropped, output, target, control)?,
        (_, Compression::None) => bytes::keep(source, dropped, &output, target, threads, control)?,
        (_, Compression::Gzip) => packed::keep_gzip(source, dropped, output, target, control)?,
        (_, Compression::Zstd) => packed::keep_zstd(source, dropped, output, target, control)?,
    }
    let bytes = std::fs::metadata(target).map_err(Error::io(target, "write"))?.len();
    Ok(Kept { bytes, written: true })
}
