use std::fs::File;
use std::io;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::error::Result;

/// Rows of a file in batches, each with the approximate number of bytes that it has in memory. Nothing follows an error.
pub(crate) type Batches = Box<dyn Iterator<Item = Result<(RecordBatch, usize)>>>;

/// Rows and columns of a file that are read, and the size of a batch.
#[derive(Clone, Copy)]
pub(crate) struct WantedRows<'a> {
    /// Indices of the columns in the schema, ascending. `None` means all.
    pub columns: Option<&'a [usize]>,
    /// Maximum number of rows, from the first on.
    pub rows: u64,
    /// Approximate number of bytes of a batch, for rows of average length.
    pub bytes: usize,
}

/// A columnar file. Each function fails with [`crate::Error::Damaged`] if the file is damaged or of another format.
pub(crate) trait ColumnFile: Sized {
    /// Opens the file and reads its schema.
    fn open(path: &Path, name: &str) -> Result<Self>;

    /// Returns the columns with their metadata.
    fn schema(&self) -> &SchemaRef;

    /// Returns the number of rows that the file states.
    fn rows(&self) -> u64;

    /// Returns the rows.
    fn batches(self, wanted: WantedRows<'_>) -> Result<Batches>;

    /// Returns a writer of another file in this format, with the metadata and compression of this file. `schema` is that of this
    /// file, with `added` further columns at its end.
    fn writer(&self, to: File, schema: &SchemaRef, added: usize) -> io::Result<Box<dyn BatchWriter>>;
}

/// Writer of the rows of a file.
pub(crate) trait BatchWriter {
    /// Writes some rows.
    fn write(&mut self, batch: &RecordBatch) -> io::Result<()>;

    /// Completes the file.
    fn close(self: Box<Self>) -> io::Result<()>;
}
