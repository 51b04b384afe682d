//! Rows of the past: packed messages in Parquet files, one for each part and batch, below a folder for each part.

use crate::distributed::output::put;
use crate::tables::{parquet_file, read};
use crate::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::ArrowError;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Messages that are read at once: one may have megabytes.
const AT_ONCE: usize = 16;
/// Bytes of the messages of a slice of a file, if one message has not more.
const SLICE: usize = 4 << 20;

/// Kinds of rows, of which each has a folder.
#[derive(Clone, Copy, Debug)]
pub enum PastRows {
    /// Keys, copies and ids of documents.
    Keys,
    /// Numbers of documents that others lead.
    Led,
}

/// Writes the messages of a batch to a part.
pub fn write_rows(folder: &Path, of: PastRows, part: u32, batch: u32, packed: &[&[u8]]) -> Result<()> {
    let fail = |error: ArrowError| Error::Data(error.to_string());
    let rows = |rows: Range<usize>| {
        let column: ArrayRef = Arc::new(BinaryArray::from_iter_values(&packed[rows]));
        RecordBatch::try_from_iter([("packed", column)]).map_err(fail)
    };
    let (mut slices, mut start, mut bytes): (Vec<Range<usize>>, usize, usize) = (Vec::new(), 0, 0);
    for (at, message) in packed.iter().enumerate() {
        if at > start && bytes + message.len() > SLICE {
            slices.push(start..at);
            (start, bytes) = (at, 0);
        }
        bytes += message.len();
    }
    slices.extend((start < packed.len()).then_some(start..packed.len()));
    put(folder, &file(of, part, batch), |path| parquet_file::write(path, &rows(0..0)?.schema(), &slices, 1, &rows))
}

/// Calls `each` with every message of a part of the past.
pub fn read_rows(folder: &Path, of: PastRows, part: u32, batches: u32, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    for batch in 0..batches {
        for rows in read::read_few(&folder.join(file(of, part, batch)), AT_ONCE)? {
            rows?.column(0).as_binary::<i32>().iter().flatten().try_for_each(&mut each)?;
        }
    }
    Ok(())
}

fn file(of: PastRows, part: u32, batch: u32) -> PathBuf {
    let kind = match of {
        PastRows::Keys => "keys",
        PastRows::Led => "led",
    };
    PathBuf::from(kind).join(format!("part-{part:05}")).join(format!("batch-{batch:05}.parquet"))
}
