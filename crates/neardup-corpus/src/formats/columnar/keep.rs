//! Writing the rows of a columnar file again.

use std::io;
use std::ops::Range;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{BooleanArray, LargeStringArray, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use arrow_select::filter::filter_record_batch;

use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::formats::columnar::file::{ColumnFile, WantedRows};
use crate::keep::{KeptFile, RecordEdit, create, written};
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
    let changed = || Error::Changed { path: source.path.clone() };
    let column = field.map(|field| file.schema().index_of(field).map_err(|_| changed())).transpose()?;
    let rows = file.rows();
    // The span of a damaged part ends one row after the last row.
    let damage = last.filter(|span| span.offset <= rows && span.end() == rows + 1);
    let end = damage.map_or(rows, |span| span.offset);
    let output = create(target)?;
    let mut writer = file.writer(output).map_err(Error::io(target, "write"))?;
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
        let batch = plan.apply(batch, column).map_err(|error| Error::io(target, "write")(io::Error::other(error)))?;
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
struct KeepPlan {
    stays: Vec<bool>,
    texts: Vec<Option<String>>,
}

impl KeepPlan {
    fn new(rows: usize) -> KeepPlan {
        KeepPlan { stays: vec![true; rows], texts: vec![None; rows] }
    }

    /// Replaces the text of one row, or drops rows.
    fn edit(&mut self, rows: Range<usize>, text: Option<String>) {
        self.stays[rows.clone()].fill(text.is_some());
        self.texts[rows.start] = text;
    }

    /// Returns the kept rows. New texts get the layout of the column.
    fn apply(&self, batch: RecordBatch, column: Option<usize>) -> Result<RecordBatch, ArrowError> {
        let batch = match column {
            Some(column) if self.texts.iter().any(Option::is_some) => self.retexted(&batch, column)?,
            _ => batch,
        };
        if self.stays.iter().all(|&stays| stays) { Ok(batch) } else { filter_record_batch(&batch, &BooleanArray::from(self.stays.clone())) }
    }

    fn retexted(&self, batch: &RecordBatch, column: usize) -> Result<RecordBatch, ArrowError> {
        let mut columns = batch.columns().to_vec();
        let old = cast(&columns[column], &DataType::LargeUtf8)?;
        let new = old.as_string::<i64>().iter().zip(&self.texts).map(|(old, new)| new.as_deref().or(old)).collect::<LargeStringArray>();
        columns[column] = cast(&new, columns[column].data_type())?;
        RecordBatch::try_new(batch.schema(), columns)
    }
}
