use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::layout;
use crate::keep::{KeptFile, RecordEdit};
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;

/// Writes `source` to `target` without the records in `dropped`, which are ordered and do not overlap.
///
/// The spans are those of [`crate::Record`]: bytes of the decompressed source, or rows of a columnar table. In an archive they are
/// bytes as stored (whole gzip members). Everything outside the dropped records is kept: headers, blank lines, records without a
/// document. Line formats are kept byte for byte and compressed again in the same format. Columnar tables keep their values,
/// schema, metadata and compression. Missing folders above `target` are created. `control` counts the bytes read. If a compressed
/// source or a columnar table breaks off, it is kept up to there, provided the last span reaches past the break, as the span of its
/// reject does.
///
/// # Errors
/// Reading or writing fails, the source is damaged or shorter than its spans, or the job is cancelled.
pub fn keep(source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
    layout(source.format).keep(source, dropped, target, threads, control)
}

/// Whether [`rewrite`] supports the format of a source.
pub fn rewrites(source: &Source) -> bool {
    layout(source.format).is_rewritten()
}

/// Writes `source` to `target` with other texts in some records and without others. The edits are ordered and do not overlap.
/// `last` is the span of the last dropped record.
///
/// In a line of JSON, the value of the text field is replaced, as UTF-8 with the escapes that JSON requires. In a record of CSV,
/// the field is replaced, in quotes. Every other byte and all other records are kept. A file that is one document keeps its byte
/// order mark. Compressed files are compressed again in the same format. Columnar tables keep all other values, schema, metadata
/// and compression.
///
/// # Errors
/// Errors of [`keep`], and errors of the edits.
pub fn rewrite<E: From<Error>>(
    source: &Source,
    fields: &Fields,
    edits: &mut dyn Iterator<Item = Result<RecordEdit, E>>,
    last: Option<SourceSpan>,
    target: &Path,
    control: &JobControl,
) -> Result<KeptFile, E> {
    let Some(first) = edits.next().transpose()? else { return Ok(keep(source, &[], target, 1, control)?) };
    let second = edits.next().transpose()?;
    // A file that is one document is dropped, or nothing of the file can be read. It has no place for a text.
    if second.is_none() && first.1.is_none() {
        return Ok(keep(source, &[first.0], target, 1, control)?);
    }
    // The format only sees that the edits ended early. This function returns the error itself.
    let mut failed = None;
    let edits = [first].into_iter().chain(second).map(Ok).chain(edits);
    let mut edits = edits.map(|edit: Result<RecordEdit, E>| {
        edit.map_err(|error| {
            failed = Some(error);
            Error::Cancelled
        })
    });
    let kept = layout(source.format).rewrite(source, fields, &mut edits, last, target, control);
    drop(edits);
    failed.map_or_else(|| Ok(kept?), Err)
}
