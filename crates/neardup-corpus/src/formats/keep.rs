use std::path::Path;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::layout;
use crate::keep::{Added, AddedEdit, KeptFile, RecordEdit, cut, nothing};
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
    // Nothing of it was read.
    if source.broken.is_some() {
        return Ok(nothing(source, control));
    }
    // Its one reject covers all of it, whatever its format would find in the bytes.
    if source.misnamed.is_some() && source.format.has_fields() {
        return cut(source, dropped, target, threads, control);
    }
    layout(source.format).keep(source, dropped, target, threads, control)
}

/// Whether [`rewrite`] supports the format of a source.
pub fn rewrites(source: &Source) -> bool {
    layout(source.format).is_rewritten()
}

/// Whether [`rewrite`] can replace the text of a source in such a format. A text that is joined from several fields has no place, and
/// neither has one in a struct of a columnar table.
///
/// # Errors
/// A table that cannot be read.
pub fn replaces_text(source: &Source, fields: &Fields) -> Result<bool> {
    Ok(!source.has_records() || layout(source.format).replaces_text(source, fields)?)
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
    let mut edits = [first].into_iter().chain(second).map(Ok).chain(edits);
    with_own_error(&mut edits, |edits| layout(source.format).rewrite(source, fields, edits, last, target, control))
}

/// Calls `write` with edits whose error is one of this crate. The format only sees that the edits ended early, and this function
/// returns the error itself.
fn with_own_error<T, E: From<Error>>(
    edits: &mut dyn Iterator<Item = Result<T, E>>,
    write: impl FnOnce(&mut dyn Iterator<Item = Result<T>>) -> Result<KeptFile>,
) -> Result<KeptFile, E> {
    let mut failed = None;
    let kept = write(&mut edits.map(|edit| {
        edit.map_err(|error| {
            failed = Some(error);
            Error::Cancelled
        })
    }));
    failed.map_or_else(|| Ok(kept?), Err)
}

/// Whether [`extend`] supports the format of a source.
pub fn extends(source: &Source) -> bool {
    layout(source.format).is_extended()
}

/// Writes `source` to `target` with more fields in its records and without some records. The edits are ordered and do not overlap.
///
/// An object of JSON gets members after its own, a table of text or a columnar table gets columns after its own. Every other byte is
/// kept; columnar tables keep all other values, their metadata and compression.
///
/// # Errors
/// Errors of [`keep`], errors of the edits, [`Error::Taken`] if a record has a field of an added name, and [`Error::Unwritable`] for a
/// value that an unquoted table cannot contain.
pub fn extend<E: From<Error>>(
    source: &Source,
    fields: &Fields,
    added: Added<'_>,
    edits: &mut dyn Iterator<Item = Result<AddedEdit, E>>,
    target: &Path,
    control: &JobControl,
) -> Result<KeptFile, E> {
    if !source.has_records() {
        let dropped = edits.map(|edit| Ok(edit?.0)).collect::<Result<Vec<_>, E>>()?;
        return Ok(keep(source, &dropped, target, 1, control)?);
    }
    with_own_error(edits, |edits| layout(source.format).extend(source, fields, added, edits, target, control))
}

/// Whether files of the kind of a source may follow each other in one stream. A web archive in zstd may begin with a dictionary, which
/// holds for all that follows.
pub fn joins(source: &Source) -> bool {
    layout(source.format).is_joined() && !(source.format.is_archive() && source.compression.name() == "zstd")
}

/// Returns the number of decompressed bytes before the first record of a source, if a stream of several sources has them once: a byte
/// order mark or the header of a table.
///
/// # Errors
/// The source cannot be read.
pub fn lead(source: &Source, fields: &Fields) -> Result<u64> {
    layout(source.format).lead(source, fields)
}
