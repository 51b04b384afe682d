//! Files written again without some of their records, or with other texts in them: what formats have in common.

mod bytes;
mod kept;
mod packed;
mod replace;

pub(crate) use kept::TextSlot;
pub use kept::{KeptFile, RecordEdit};
pub(crate) use replace::replace;

use std::fs::File;
use std::path::Path;

use crate::compression::Compression;
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::records::place::SourceSpan;
use crate::sources::source::Source;

/// Makes a file, and the folders above it.
pub(crate) fn create(target: &Path) -> Result<File> {
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
    }
    File::create(target).map_err(Error::io(target, "write"))
}

/// What was written to a file.
pub(crate) fn written(target: &Path) -> Result<KeptFile> {
    let bytes = std::fs::metadata(target).map_err(Error::io(target, "write"))?.len();
    Ok(KeptFile { bytes, written: true })
}

/// Nothing is written of a source.
pub(crate) fn nothing(source: &Source, control: &JobControl) -> KeptFile {
    control.add_bytes(source.bytes);
    KeptFile { bytes: 0, written: false }
}

/// Copies the bytes that a file has on disk, without the spans.
pub(crate) fn copied(source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
    let output = create(target)?;
    bytes::keep(source, dropped, &output, target, threads, control)?;
    packed::fill_empty(source.compression, &output).map_err(Error::io(target, "write"))?;
    written(target)
}

/// Writes the decompressed bytes without the spans, and compresses them as they were.
pub(crate) fn cut(source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
    if dropped.is_empty() || source.compression == Compression::None {
        return copied(source, dropped, target, threads, control);
    }
    let output = create(target)?;
    match source.compression {
        Compression::None => {}
        Compression::Gzip => packed::keep_gzip(source, dropped, output, target, control)?,
        Compression::Zstd => packed::keep_zstd(source, dropped, output, target, control)?,
    }
    written(target)
}
