use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::layout;
use crate::keep::{KeptFile, RecordEdit};
use crate::records::fields::Fields;
use crate::records::place::SourceSpan;
use crate::sources::source::Source;

/// Writes `source` to `target` without the records in `dropped`, which are in order and do not overlap.
///
/// The spans are those of [`crate::Record`]: bytes of the source when decompressed, rows of a table of columns; of an archive, bytes as
/// it is stored (whole gzip members). Everything that is no dropped record stays: headers, blank lines, records without a document.
/// Line formats stay byte for byte and are compressed anew in the same format; tables of columns keep values, schema, metadata and
/// compression. Missing folders above `target` are made; `control` counts the bytes taken in.
/// A compressed source that breaks off, and a table of columns, is kept up to there when the last span says so, as that of its reject
/// does.
///
/// # Errors
/// Reading or writing fails, the source is damaged or shorter than its spans, the job is cancelled.
pub fn keep(source: &Source, dropped: &[SourceSpan], target: &Path, threads: usize, control: &JobControl) -> Result<KeptFile> {
    layout(source.format).keep(source, dropped, target, threads, control)
}

/// Whether [`rewrite`] knows the kind of a source.
pub fn rewrites(source: &Source) -> bool {
    layout(source.format).is_rewritten()
}

/// Writes `source` to `target` with other texts in some records and without others; edits are in order and do not overlap, and
/// `last` is the span of the last record that goes.
///
/// Of a line of JSON the value of the text field is written anew, as UTF-8 with the escapes that JSON asks for, of a record of
/// CSV the field, in quotes; every other byte stays, and so do all other records. Of a file that is one document a byte order
/// mark stays. What is compressed is compressed anew in the same format. Tables of columns keep all other values, schema, metadata and
/// compression.
///
/// # Errors
/// As [`keep`], and the edits themselves.
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
    // A file that is one document goes, or one of which nothing can be read: it has no place for a text.
    if second.is_none() && first.1.is_none() {
        return Ok(keep(source, &[first.0], target, 1, control)?);
    }
    // A format sees that the edits ended early, and this function says why.
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
