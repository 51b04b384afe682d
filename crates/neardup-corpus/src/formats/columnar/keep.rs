//! Writing the rows of a columnar file again.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{BooleanArray, LargeStringArray, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::filter::filter_record_batch;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::columnar::added_columns;
use crate::formats::columnar::file::{ColumnFile, WantedRows};
use crate::keep::{Added, AddedEdit, AddedRow, KeptFile, RecordEdit, create, written};
use crate::records::place::SourceSpan;
use crate::sources::source::Source;

/// Approximate number of bytes of rows that are in memory at once.
const BYTES: usize = 4 << 20;

/// Whether no part of a file can be read.
pub(super) fn is_unreadable<F: ColumnFile>(source: &Source) -> bool {
    let whole = WantedRows { columns: None, rows: u64::MAX, bytes: BYTES };
    let rows = F::open(&source.path, &source.name).and_then(|file| file.batches(whole));
    matches!(rows, Err(Error::Damaged { .. }))
}

/// Returns the rows of a batch with their edits, one for each row.
type EditRows<'e, T> = dyn Fn(&RecordBatch, &[Option<T>]) -> Result<RecordBatch, ArrowError> + 'e;

/// How the rows of a file are edited.
pub(super) struct RowEditor<'e, T> {
    /// Schema of the written file: that of the source, perhaps with further columns.
    pub schema: SchemaRef,
    /// Number of further columns.
    pub added: usize,
    /// It is not called if no row has an edit and no column is added.
    pub edit: &'e EditRows<'e, T>,
}

/// Writes the rows with other texts in column `field` of some rows, and without others. Schema, metadata and compression are those
/// of the source. The edits are ordered, and `last` is the span of the last edit without a text.
pub(super) fn rewrite<F: ColumnFile>(
    source: &Source,
    field: Option<&str>,
    edits: &mut dyn Iterator<Item = Result<RecordEdit>>,
    last: Option<SourceSpan>,
    target: &Path,
    control: &JobControl,
) -> Result<KeptFile> {
    let file = F::open(&source.path, &source.name)?;
    let changed = |_| Error::Changed { path: source.path.clone() };
    let column = field.map(|field| file.schema().index_of(field).map_err(changed)).transpose()?;
    let edit = |batch: &RecordBatch, texts: &[Option<String>]| match column {
        Some(column) => retexted(batch, column, texts),
        None => Ok(batch.clone()),
    };
    let editor = RowEditor { schema: Arc::clone(file.schema()), added: 0, edit: &edit };
    write_edited(source, file, &editor, edits, last, target, control)
}

/// Writes the rows with more columns, and without some rows; otherwise as [`rewrite`].
pub(super) fn extend<F: ColumnFile>(
    source: &Source,
    added: Added<'_>,
    edits: &mut dyn Iterator<Item = Result<AddedEdit>>,
    target: &Path,
    control: &JobControl,
) -> Result<KeptFile> {
    let file = F::open(&source.path, &source.name)?;
    let schema = added_columns::schema(file.schema(), added.fields);
    let edit = |batch: &RecordBatch, rows: &[Option<AddedRow>]| added_columns::with_columns(batch, &schema, rows);
    let editor = RowEditor { schema: Arc::clone(&schema), added: added.fields.len(), edit: &edit };
    write_edited(source, file, &editor, edits, added.last_reject, target, control)
}

fn write_edited<F: ColumnFile, T: Clone>(
    source: &Source,
    file: F,
    editor: &RowEditor<'_, T>,
    edits: &mut dyn Iterator<Item = Result<(SourceSpan, Option<T>)>>,
    last: Option<SourceSpan>,
    target: &Path,
    control: &JobControl,
) -> Result<KeptFile> {
    let changed = || Error::Changed { path: source.path.clone() };
    let rows = file.rows();
    // The span of a damaged part ends one row after the last row.
    let damage = last.filter(|span| span.offset <= rows && span.end() == rows + 1);
    let end = damage.map_or(rows, |span| span.offset);
    let output = create(target)?;
    let mut writer = file.writer(output, &editor.schema, editor.added).map_err(Error::io(target, "write"))?;
    let (mut next, mut first) = (edits.next().transpose()?, 0);
    for batch in file.batches(WantedRows { columns: None, rows: end, bytes: BYTES })? {
        if control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let (batch, _) = batch?;
        let mut plan = KeepPlan::new(batch.num_rows());
        let after = first + batch.num_rows() as u64;
        while let Some((span, text)) = next.take_if(|(span, _)| span.offset < after) {
            plan.edit((span.offset - first) as usize..(span.end().min(after) - first) as usize, text);
            let rest = SourceSpan { offset: after, len: span.end().saturating_sub(after) };
            next = if rest.len > 0 { Some((rest, None)) } else { edits.next().transpose()? };
        }
        first = after;
        let batch = plan.apply(batch, editor).map_err(|error| Error::io(target, "write")(io::Error::other(error)))?;
        if batch.num_rows() > 0 {
            writer.write(&batch).map_err(Error::io(target, "write"))?;
        }
    }
    if first != end || next.map(|(span, _)| span) != damage {
        return Err(changed());
    }
    writer.close().map_err(Error::io(target, "write"))?;
    control.add_bytes(source.bytes);
    written(target)
}

/// Edits to the rows of a batch.
struct KeepPlan<T> {
    stays: Vec<bool>,
    edits: Vec<Option<T>>,
}

impl<T: Clone> KeepPlan<T> {
    fn new(rows: usize) -> KeepPlan<T> {
        KeepPlan { stays: vec![true; rows], edits: vec![None; rows] }
    }

    /// Edits one row, or drops rows.
    fn edit(&mut self, rows: Range<usize>, edit: Option<T>) {
        self.stays[rows.clone()].fill(edit.is_some());
        self.edits[rows.start] = edit;
    }

    /// Returns the kept rows.
    fn apply(&self, batch: RecordBatch, editor: &RowEditor<'_, T>) -> Result<RecordBatch, ArrowError> {
        let is_edited = editor.added > 0 || self.edits.iter().any(Option::is_some);
        let batch = if is_edited { (editor.edit)(&batch, &self.edits)? } else { batch };
        if self.stays.iter().all(|&stays| stays) { Ok(batch) } else { filter_record_batch(&batch, &BooleanArray::from(self.stays.clone())) }
    }
}

/// Returns the rows with new texts, which get the layout of their column.
fn retexted(batch: &RecordBatch, column: usize, texts: &[Option<String>]) -> Result<RecordBatch, ArrowError> {
    let mut columns = batch.columns().to_vec();
    let old = cast(&columns[column], &DataType::LargeUtf8)?;
    let new = old.as_string::<i64>().iter().zip(texts).map(|(old, new)| new.as_deref().or(old)).collect::<LargeStringArray>();
    let kind = columns[column].data_type();
    // Arrow casts texts to another layout of bytes only through its own.
    let is_binary = matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
    columns[column] = if is_binary { cast(&cast(&new, &DataType::LargeBinary)?, kind)? } else { cast(&new, kind)? };
    RecordBatch::try_new(batch.schema(), columns)
}
