//! Reading the tables of finished results.

use crate::{Error, Result};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use neardup_corpus::guarded;
use neardup_disk::regular;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::iter;
use std::path::Path;

/// Rows of a result that are read at once.
const AT_ONCE: usize = 1024;

/// Reads a table of a finished result.
pub fn read_table(path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let rows = open_table(path, AT_ONCE)?;
    let schema = arrow_array::RecordBatchReader::schema(&rows);
    Ok((schema, batches(rows, path).collect::<Result<_>>()?))
}

/// Reads a table of a finished result, some rows at a time.
pub fn read_batches(path: &Path) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
    read_few(path, AT_ONCE)
}

/// Reads a table, a given number of rows at a time.
pub fn read_few(path: &Path, rows: usize) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
    Ok(batches(open_table(path, rows)?, path))
}

fn batches(mut rows: ParquetRecordBatchReader, path: &Path) -> impl Iterator<Item = Result<RecordBatch>> {
    iter::from_fn(move || guarded(|| rows.next().transpose()).map_err(Error::file(path, "read")).transpose())
}

fn open_table(path: &Path, rows: usize) -> Result<ParquetRecordBatchReader> {
    let file = regular::open(path).map_err(Error::file(path, "read"))?;
    guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)?.with_batch_size(rows).build()).map_err(Error::file(path, "read"))
}
