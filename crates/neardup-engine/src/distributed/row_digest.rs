//! The digest of a result whose rows are on many machines. Each machine turns its rows into bytes, which are then digested in
//! order.

use crate::results::digest::{ResultRows, RowBytes};
use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;

/// Returns the bytes of the rows of `batch`, in the order in which a digest takes them. Each column contains texts or numbers.
pub fn digest_rows(batch: &RecordBatch) -> Result<Vec<u8>> {
    let columns = batch.columns().iter().map(|column| {
        let kind = if column.data_type().is_integer() { DataType::UInt64 } else { DataType::Utf8 };
        cast(column, &kind).map_err(|error| Error::Data(error.to_string()))
    });
    let (columns, mut rows) = (columns.collect::<Result<Vec<_>>>()?, RowBytes::default());
    for row in 0..batch.num_rows() {
        for column in &columns {
            match column.data_type() {
                DataType::UInt64 if column.is_null(row) => rows.none(),
                DataType::UInt64 => rows.number(column.as_primitive::<UInt64Type>().value(row)),
                _ => rows.text(column.as_string::<i32>().value(row)),
            }
        }
    }
    Ok(rows.into_bytes())
}

/// The digest of a result, to which rows are added in order.
pub struct RowDigest(ResultRows);

impl RowDigest {
    /// Returns the digest of a result without rows. `kind` is decisions, clusters or pairs.
    pub fn new(kind: &str) -> Self {
        RowDigest(ResultRows::new(kind))
    }

    /// Adds rows, as [`digest_rows`] returns them.
    pub fn update(&mut self, rows: &[u8]) {
        self.0.append(rows);
    }

    /// Returns the digest.
    pub fn finish(self) -> String {
        self.0.finish()
    }
}
