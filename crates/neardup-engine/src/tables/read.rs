//! Tables of finished results, read.

use crate::{Error, Result};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::fs::File;
use std::path::Path;

/// Reads a table of a finished result.
pub fn read_table(path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>)> {
    let rows = open_table(path)?;
    let schema = arrow_array::RecordBatchReader::schema(&rows);
    Ok((schema, rows.collect::<Result<_, _>>().map_err(Error::file(path, "read"))?))
}

/// Reads a table of a finished result, some rows at a time.
pub fn read_batches(path: &Path) -> Result<impl Iterator<Item = Result<RecordBatch>>> {
    Ok(open_table(path)?.map(|rows| rows.map_err(Error::file(path, "read"))))
}

fn open_table(path: &Path) -> Result<ParquetRecordBatchReader> {
    let file = File::open(path).map_err(Error::file(path, "read"))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(Error::file(path, "read"))?;
    builder.build().map_err(Error::file(path, "read"))
}
