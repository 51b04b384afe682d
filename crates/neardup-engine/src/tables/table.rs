//! Tables: columns for people and programs, made in slices so that no table need fit in memory.

use crate::{Error, Result};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::ops::Range;
use std::sync::Arc;

/// Rows in a slice of a table whose rows are all about as long.
const SLICE: usize = 1 << 13;

/// The column of rows: most follow each other, which is all that need be written of them.
pub const ROW: &str = "row";

/// The column of the number that decided, where that is not what features share.
pub const VALUE: &str = "value";
/// Columns of ids: nearly every value is another, so a dictionary of them costs time and room.
pub const IDS: [&str; 7] = ["id", "original", "duplicate_id", "cluster", "leader", "left", "right"];

/// The column of what a sketch holds, of which nearly every value is another, too.
pub const SKETCH: &str = "values";

/// A table that is made a slice at a time.
pub trait Table: Sync {
    /// The columns.
    fn schema(&self) -> SchemaRef;
    /// How many rows.
    fn rows(&self) -> usize;
    /// All rows in pieces, one after another, of which each fits in memory.
    fn slices(&self) -> Vec<Range<usize>> {
        (0..self.rows()).step_by(SLICE).map(|start| start..(start + SLICE).min(self.rows())).collect()
    }
    /// How many of these pieces fit in memory together, with any number of threads: files are the same for all.
    fn at_once(&self) -> usize {
        8
    }
    /// Some of the rows.
    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch>;
}

/// All slices of a table.
pub fn gather(table: &dyn Table) -> Result<Vec<RecordBatch>> {
    table.slices().into_iter().map(|rows| table.slice(rows)).collect()
}

/// A schema of columns, each with its name, type and whether it may be null.
pub fn schema(columns: &[(&str, DataType, bool)], extra: &[(&str, DataType, bool)]) -> SchemaRef {
    let field = |(name, kind, nullable): &(&str, DataType, bool)| Field::new(*name, kind.clone(), *nullable);
    Arc::new(Schema::new(columns.iter().chain(extra).map(field).collect::<Vec<_>>()))
}

/// Columns as rows.
pub fn batch(schema: SchemaRef, columns: Vec<ArrayRef>) -> Result<RecordBatch> {
    RecordBatch::try_new(schema, columns).map_err(|error| Error::Data(error.to_string()))
}
