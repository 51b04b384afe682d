use std::fs::File;
use std::io;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};

use crate::error::Result;

/// The rows of a file, many at a time, each time with about how many bytes they have in memory; after an error there are no more.
pub(crate) type Batches = Box<dyn Iterator<Item = Result<(RecordBatch, usize)>>>;

/// Which rows and columns of a file are read, and how many at a time.
#[derive(Clone, Copy)]
pub(crate) struct WantedRows<'a> {
    /// The places of columns in the schema, ascending; None is all.
    pub columns: Option<&'a [usize]>,
    /// Rows from the first on.
    pub rows: u64,
    /// About how many bytes a batch has, of rows of average length.
    pub bytes: usize,
}

/// A file that stores its rows by columns. Each function ends in [`crate::Error::Damaged`] when the file is no such file.
pub(crate) trait ColumnFile: Sized {
    /// Opens it and reads what its columns are.
    fn open(path: &Path, name: &str) -> Result<Self>;

    /// Its columns, and what is said of them.
    fn schema(&self) -> &SchemaRef;

    /// How many rows it says it has.
    fn rows(&self) -> u64;

    /// Its rows.
    fn batches(self, wanted: WantedRows<'_>) -> Result<Batches>;

    /// What writes another file of this kind, with the schema, metadata and compression of this one.
    fn writer(&self, to: File) -> io::Result<Box<dyn BatchWriter>>;
}

/// What writes the rows of a file.
pub(crate) trait BatchWriter {
    /// Writes some rows.
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;

    /// Completes the file.
    fn close(self: Box<Self>) -> io::Result<()>;
}

/// The names of columns.
pub(crate) fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}
