//! The digest of a result whose rows are on many machines: rows become bytes where they are, and are put together in order.

use crate::results::digest::{ResultRows, RowBytes};
use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;

/// The bytes of rows, of whose columns each is a text or a number, in the order in which a digest takes them.
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

/// A digest that takes rows as they come.
pub struct RowDigest(ResultRows);

impl RowDigest {
    /// Of no row of a kind of result: decisions, clusters or pairs.
    pub fn new(kind: &str) -> Self {
        RowDigest(ResultRows::new(kind))
    }

    /// Takes rows, as [`digest_rows`] writes them.
    pub fn update(&mut self, rows: &[u8]) {
        self.0.append(rows);
    }

    /// The digest.
    pub fn finish(self) -> String {
        self.0.finish()
    }
}
