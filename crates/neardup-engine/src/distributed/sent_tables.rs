//! Tables whose rows are sent to their homes: those in the memory of the driver, and those of the engine.

use crate::distributed::message::{Message, Row, StageName};
use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::DataType;
use neardup_corpus::{Fields, needed_columns};
use std::ops::Range;
use std::sync::Arc;

/// Bytes of the rows of a message, if one row has not more.
const MESSAGE: usize = 8 << 20;

/// The size of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableSize {
    /// Number of its rows.
    pub rows: u64,
    /// Bytes of the rows, as far as they are known.
    pub bytes: u64,
}

/// The tables of a run.
#[derive(Clone, Debug)]
pub struct SentTables {
    /// Their sizes, those of the input first.
    pub sizes: Vec<TableSize>,
    /// Number of tables of the input.
    pub inputs: usize,
    /// Whether the rows have no order except that of their ids.
    pub by_id: bool,
}

/// Returns the rows of a table that part `part` of `parts` has.
pub fn rows_of(rows: u64, part: u64, parts: u64) -> Range<u64> {
    let end = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(parts.max(1))) as u64;
    end(part)..end(part + 1)
}

/// Returns the columns of a table that a run with these fields reads.
///
/// # Errors
/// As [`needed_columns`].
pub fn needed(name: &str, batch: &RecordBatch, fields: &Fields) -> Result<RecordBatch> {
    batch.project(&needed_columns(name, &batch.schema(), fields)?).map_err(fail)
}

/// Packs rows for a home. `number` is that of the first message; the numbers of messages are in the order of the rows.
pub fn pack(home: u32, number: u32, batch: &RecordBatch) -> Result<Vec<Row>> {
    let step = (batch.num_rows() * MESSAGE / batch.get_array_memory_size().max(1)).max(1);
    let mut sent = Vec::new();
    for (number, start) in (number..).zip((0..batch.num_rows()).step_by(step)) {
        let rows = own(&batch.slice(start, step.min(batch.num_rows() - start))).map_err(fail)?;
        let mut stream = StreamWriter::try_new(Vec::new(), &rows.schema()).map_err(fail)?;
        stream.write(&rows).map_err(fail)?;
        let packed = Message::Rows(number, &stream.into_inner().map_err(fail)?).pack()?;
        sent.push(Row { stage: StageName::Home, part: home, packed });
    }
    Ok(sent)
}

fn fail(error: arrow_schema::ArrowError) -> Error {
    Error::Data(format!("the rows of a table cannot be sent: {error}"))
}

/// Returns a slice without the buffers that only other rows use.
fn own(slice: &RecordBatch) -> std::result::Result<RecordBatch, arrow_schema::ArrowError> {
    let column = |column: &ArrayRef| -> ArrayRef {
        match column.data_type() {
            DataType::Utf8View => Arc::new(column.as_string_view().gc()),
            DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
            _ => Arc::clone(column),
        }
    };
    RecordBatch::try_new(slice.schema(), slice.columns().iter().map(column).collect())
}
