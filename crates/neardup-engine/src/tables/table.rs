//! Tables: columns for people and programs, made in slices so that no table need fit in memory.

use crate::{Error, Result};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::ops::Range;
use std::sync::Arc;

/// Number of rows in a slice of a table whose rows are all about equally long.
pub const SLICE: usize = 1 << 13;

/// Name of the column of rows. Most rows follow each other, so they are encoded as differences.
pub const ROW: &str = "row";

/// Name of the column of the number that decided, if that is not the share of features.
pub const VALUE: &str = "value";
/// Names of the columns of ids. Nearly every value is different, so a dictionary would cost time and space.
pub const IDS: [&str; 7] = ["id", "original", "duplicate_id", "cluster", "leader", "left", "right"];

/// Name of the column of the values of a sketch, nearly all of which are different, too.
pub const SKETCH: &str = "values";

/// A table whose rows are made slice by slice.
pub trait Table: Sync {
    /// Returns the columns.
    fn schema(&self) -> SchemaRef;
    /// Returns the number of rows.
    fn rows(&self) -> usize;
    /// Splits all rows into slices, in order, each of which fits in memory.
    fn slices(&self) -> Vec<Range<usize>> {
        (0..self.rows()).step_by(SLICE).map(|start| start..(start + SLICE).min(self.rows())).collect()
    }
    /// Returns the number of slices that fit in memory together. It is the same for any number of threads, so the files are, too.
    fn at_once(&self) -> usize {
        8
    }
    /// Makes some of the rows.
    fn slice(&self, rows: Range<usize>) -> Result<RecordBatch>;
}

/// Makes all slices of a table.
pub fn gather(table: &dyn Table) -> Result<Vec<RecordBatch>> {
    table.slices().into_iter().map(|rows| table.slice(rows)).collect()
}

/// Creates a schema of columns, each with its name, its type and whether it may be null.
pub fn schema(columns: &[(&str, DataType, bool)], extra: &[(&str, DataType, bool)]) -> SchemaRef {
    let field = |(name, kind, nullable): &(&str, DataType, bool)| Field::new(*name, kind.clone(), *nullable);
    Arc::new(Schema::new(columns.iter().chain(extra).map(field).collect::<Vec<_>>()))
}

/// Combines columns to a batch of rows.
pub fn batch(schema: SchemaRef, columns: Vec<ArrayRef>) -> Result<RecordBatch> {
    RecordBatch::try_new(schema, columns).map_err(|error| Error::Data(error.to_string()))
}
