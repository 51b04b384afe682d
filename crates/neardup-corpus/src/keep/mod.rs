//! Writing files again without some of their records, or with other texts in them: the parts that formats share.

mod added;
mod bytes;
mod edit;
mod joined;
mod kept;

pub use added::{Added, AddedEdit, AddedField, AddedRow, AddedValue};
pub(crate) use edit::edit;
pub use joined::{lacks_line_end, line_end};
pub(crate) use kept::TextSlot;
pub use kept::{KeptFile, RecordEdit};

use std::fs::File;
use std::io;
use std::path::Path;

use crate::compression::Compression;
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::records::place::SourceSpan;
use crate::sources::source::Source;

/// Returns the parts of `len` bytes that lie outside `spans`, which are ordered and do not overlap.
pub fn outside(spans: &[SourceSpan], len: u64) -> Vec<SourceSpan> {
    let starts = std::iter::once(0).chain(spans.iter().map(|span| span.end()));
    let ends = spans.iter().map(|span| span.offset).chain([len]);
    let gaps = starts.zip(ends).filter(|(start, end)| start < end);
    gaps.map(|(start, end)| SourceSpan { offset: start, len: end - start }).collect()
}

/// Creates a file and its parent folders.
pub(crate) fn create(target: &Path) -> Result<File> {
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
    }
    File::create(target).map_err(Error::io(target, "write"))
}

/// Returns the result for a written file.
pub(crate) fn written(target: &Path) -> Result<KeptFile> {
    let bytes = std::fs::metadata(target).map_err(Error::io(target, "write"))?.len();
    Ok(KeptFile { bytes, written: true })
}

/// Returns the result for a source of which nothing is written, and counts its bytes.
pub(crate) fn nothing(source: &Source, control: &JobControl) -> KeptFile {
    control.add_bytes(source.bytes);
    KeptFile { bytes: 0, written: false }
}

/// Copies the stored bytes of a file without the spans.
pub(crate) fn copied(source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
    let output = create(target)?;
    bytes::keep(source, dropped, &output, target, threads, control)?;
    fill_empty(source.compression, &output).map_err(Error::io(target, "write"))?;
    written(target)
}

/// Writes the text of a source without the spans, with its compression and encoding.
pub(crate) fn cut(source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
    if dropped.is_empty() || source.is_plain() {
        return copied(source, dropped, target, threads, control);
    }
    edit(source, &|record: &[u8], _: &()| Ok(record.to_vec()), &mut dropped.iter().map(|span| Ok((*span, None))), target, control)
}

/// Turns an empty output into a compressed file of empty content: zero bytes are no valid compressed file.
fn fill_empty(compression: Compression, output: &File) -> io::Result<()> {
    if compression.is_some() && output.metadata()?.len() == 0 { compression.encoder(output)?.finish() } else { Ok(()) }
}
