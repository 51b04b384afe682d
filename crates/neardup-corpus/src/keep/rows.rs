use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{BooleanArray, LargeStringArray, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use arrow_select::filter::filter_record_batch;
use parquet::arrow::arrow_reader::{RowSelection, RowSelector};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::Type;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::properties::WriterProperties;

use crate::control::Control;
use crate::error::{Error, Result};
use crate::formats::parquet::{batches, open, rows_in};
use crate::keep::edit::Edit;
use crate::records::place::Span;
use crate::sources::source::Source;

/// How many rows are held at once.
const ROWS: usize = 4096;

/// Writes the rows that are not dropped, with the schema, metadata and compression of the source.
pub(super) fn keep(source: &Source, dropped: &[Span], output: File, target: &Path, control: &Control) -> Result<()> {
    let builder = open(&source.path, &source.name)?;
    let metadata = builder.metadata().clone();
    let (dropped, rows) = up_to_damage(dropped, rows_in(&metadata));
    if dropped.last().is_some_and(|span| span.end() > rows) {
        return Err(Error::Changed { path: source.path.clone() });
    }
    let schema = builder.schema().clone();
    let reader = batches(builder.with_row_selection(selection(dropped, rows)).with_batch_size(ROWS), &source.name)?;
    let failed = |error: ParquetError| Error::io(target, "write")(std::io::Error::other(error));
    let mut writer = ArrowWriter::try_new_with_options(output, schema, options(&metadata)).map_err(failed)?;
    for batch in reader {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let batch = batch?;
        writer.write(&batch).map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    control.add_bytes(source.bytes);
    Ok(())
}

/// Whether nothing of a file can be read.
pub(super) fn is_unreadable(source: &Source) -> bool {
    let rows = open(&source.path, &source.name).and_then(|builder| batches(builder, &source.name).map(drop));
    matches!(rows, Err(Error::Damaged { .. }))
}

/// Whether a span is that of a damage, in a file of so many rows: it reaches one row beyond the last.
fn is_damage(span: Span, rows: u64) -> bool {
    span.offset <= rows && span.end() == rows + 1
}

/// The spans before the damage and how many rows there are up to it, if the last span is that of a damage.
fn up_to_damage(dropped: &[Span], rows: u64) -> (&[Span], u64) {
    match dropped.split_last() {
        Some((last, before)) if is_damage(*last, rows) => (before, last.offset),
        _ => (dropped, rows),
    }
}

/// Writes the rows with other texts in the column `field` of some, and without others; edits are in order, and `last` is the span of
/// the last one without a text.
pub(super) fn rewrite<E: From<Error>>(
    source: &Source,
    field: &str,
    edits: &mut dyn Iterator<Item = Result<Edit, E>>,
    last: Option<Span>,
    target: &Path,
    control: &Control,
) -> Result<(), E> {
    let builder = open(&source.path, &source.name)?;
    let (metadata, schema) = (builder.metadata().clone(), builder.schema().clone());
    let changed = || Error::Changed { path: source.path.clone() };
    let column = schema.index_of(field).map_err(|_| changed())?;
    let damage = last.filter(|span| is_damage(*span, rows_in(&metadata)));
    let end = damage.map_or(rows_in(&metadata), |span| span.offset);
    let reader = batches(builder.with_row_selection(selection(&[], end)).with_batch_size(ROWS), &source.name)?;
    let failed = |error: ParquetError| Error::io(target, "write")(std::io::Error::other(error));
    let output = File::create(target).map_err(Error::io(target, "write"))?;
    let mut writer = ArrowWriter::try_new_with_options(output, schema, options(&metadata)).map_err(failed)?;
    let (mut next, mut first) = (edits.next().transpose()?, 0);
    for batch in reader {
        if control.is_cancelled() {
            return Err(Error::Cancelled.into());
        }
        let batch = batch?;
        let rows = batch.num_rows();
        let (mut stays, mut texts) = (vec![true; rows], vec![None; rows]);
        while let Some((span, text)) = next.take_if(|(span, _)| span.offset < first + rows as u64) {
            let row = (span.offset - first) as usize;
            stays[row] = text.is_some();
            texts[row] = text;
            next = edits.next().transpose()?;
        }
        first += rows as u64;
        let batch = retexted(&batch, column, &texts, stays).map_err(|error| failed(error.into()))?;
        writer.write(&batch).map_err(failed)?;
    }
    if first != end || next.map(|(span, _)| span) != damage {
        return Err(changed().into());
    }
    writer.close().map_err(failed)?;
    control.add_bytes(source.bytes);
    Ok(())
}

/// The rows that stay, some with another text, in the layout that the column has.
fn retexted(batch: &RecordBatch, column: usize, texts: &[Option<String>], stays: Vec<bool>) -> Result<RecordBatch, ArrowError> {
    let mut columns = batch.columns().to_vec();
    let old = cast(&columns[column], &DataType::LargeUtf8)?;
    let new = old.as_string::<i64>().iter().zip(texts).map(|(old, new)| new.as_deref().or(old)).collect::<LargeStringArray>();
    columns[column] = cast(&new, columns[column].data_type())?;
    filter_record_batch(&RecordBatch::try_new(batch.schema(), columns)?, &BooleanArray::from(stays))
}

fn selection(dropped: &[Span], rows: u64) -> RowSelection {
    let mut selectors = Vec::with_capacity(2 * dropped.len() + 1);
    let mut from = 0;
    for span in dropped {
        selectors.push(RowSelector::select((span.offset - from) as usize));
        selectors.push(RowSelector::skip(span.len as usize));
        from = span.end();
    }
    selectors.push(RowSelector::select((rows - from) as usize));
    selectors.into()
}

fn options(metadata: &ParquetMetaData) -> ArrowWriterOptions {
    let file = metadata.file_metadata();
    let largest = metadata.row_groups().iter().map(|group| group.num_rows()).max();
    let mut properties = WriterProperties::builder()
        .set_key_value_metadata(file.key_value_metadata().cloned())
        .set_max_row_group_row_count(largest.and_then(|rows| usize::try_from(rows).ok()).filter(|rows| *rows > 0));
    for column in metadata.row_groups().first().iter().flat_map(|group| group.columns()) {
        properties = properties.set_column_compression(column.column_path().clone(), column.compression());
    }
    // The metadata holds the Arrow schema already, if the source does.
    let options = ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(true);
    // The old 96-bit times can only be read; they are written as the 64-bit ones they are read as.
    let leaves = file.schema_descr().columns();
    if leaves.iter().any(|leaf| leaf.physical_type() == Type::INT96) {
        options
    } else {
        options.with_parquet_schema(file.schema_descr().clone())
    }
}
