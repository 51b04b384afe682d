//! The digest of a result whose rows are on many machines. Each machine sums its rows, and the sums are merged.

use crate::digests::row_bytes::RowBytes;
use crate::digests::row_sum::RowSum;
use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch};
use arrow_cast::cast;
use arrow_schema::DataType;

/// Returns the sum of the rows of `batch`, as bytes. Each column contains texts or numbers.
pub fn sum_rows(batch: &RecordBatch) -> Result<Vec<u8>> {
    let columns = batch.columns().iter().map(|column| {
        let kind = if column.data_type().is_integer() { DataType::UInt64 } else { DataType::Utf8 };
        cast(column, &kind).map_err(|error| Error::Data(error.to_string()))
    });
    let (columns, mut rows) = (columns.collect::<Result<Vec<_>>>()?, RowBytes::default());
    for row in 0..batch.num_rows() {
        for column in &columns {
            match column.data_type() {
                _ if column.is_null(row) => rows.none(),
                DataType::UInt64 => rows.number(column.as_primitive::<UInt64Type>().value(row)),
                _ => rows.text(column.as_string::<i32>().value(row)),
            }
        }
        rows.end();
    }
    Ok(RowSum::of(&rows).to_bytes())
}

/// Merges sums of rows, as bytes.
pub fn merge_sums(sums: &[Vec<u8>]) -> Result<Vec<u8>> {
    Ok(merge(sums)?.to_bytes())
}

/// Returns the digest of the table `kind`, decisions, clusters or pairs, whose rows have these sums.
pub fn digest(kind: &str, sums: &[Vec<u8>]) -> Result<String> {
    Ok(merge(sums)?.digest(kind))
}

fn merge(sums: &[Vec<u8>]) -> Result<RowSum> {
    sums.iter().try_fold(RowSum::default(), |merged, sum| Ok(merged.merge(RowSum::from_bytes(sum)?)))
}
