//! Parquet files: tables are made a few slices at a time, and their columns are encoded in parallel.

use crate::tables::table::{IDS, ROW, SKETCH, SLICE};
use crate::{Error, Result};
use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::Result as Packed;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use rayon::prelude::*;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// Bytes of a table that are in memory before they are written. Rows differ in length, so a row group has no fixed number of
/// rows.
const GROUP: usize = 32 << 20;
/// Bytes that the slices made at once may take, because ids differ in length.
const AT_ONCE: usize = 8 << 20;

/// Writes a table of `schema`. `slice` makes the rows of any of `slices`; at most `at_once` of them are made at once. Row groups
/// are the same for any number of threads.
pub fn write(
    path: &Path,
    schema: &SchemaRef,
    slices: &[Range<usize>],
    at_once: usize,
    slice: &(dyn Fn(Range<usize>) -> Result<RecordBatch> + Sync),
) -> Result<()> {
    let fail = || Error::file(path, "write");
    let file = File::create(path).map_err(fail())?;
    let properties = properties().map_err(Error::file(path, "write"))?;
    let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(Error::file(path, "write"))?;
    let (mut writer, groups) = writer.into_serialized_writer().map_err(Error::file(path, "write"))?;
    let (mut rest, mut most) = (slices, 1);
    for number in 0.. {
        if rest.is_empty() {
            break;
        }
        let mut columns = RowGroup::new(schema, groups.create_column_writers(number).map_err(Error::file(path, "write"))?);
        while columns.bytes() < GROUP && !rest.is_empty() {
            let (some, others) = rest.split_at(most.min(rest.len()));
            rest = others;
            let batches: Vec<RecordBatch> = some.par_iter().map(|rows| slice(rows.clone())).collect::<Result<_>>()?;
            columns.write(schema, &batches).map_err(Error::file(path, "write"))?;
            let bytes: usize = batches.iter().map(RecordBatch::get_array_memory_size).sum();
            most = (AT_ONCE * some.len() / bytes.max(1)).clamp(1, at_once);
        }
        columns.close(&mut writer).map_err(Error::file(path, "write"))?;
    }
    writer.close().map_err(Error::file(path, "write"))?;
    Ok(())
}

/// Writes a table that is in memory.
///
/// # Errors
/// [`Error::File`](crate::Error) if the file cannot be written.
pub fn write_table(path: &Path, rows: &RecordBatch) -> Result<()> {
    let slices: Vec<Range<usize>> = (0..rows.num_rows()).step_by(SLICE).map(|start| start..(start + SLICE).min(rows.num_rows())).collect();
    write(path, &rows.schema(), &slices, 1, &|range| Ok(rows.slice(range.start, range.len())))
}

fn properties() -> Packed<WriterProperties> {
    let properties = WriterProperties::builder().set_column_encoding(ROW.into(), Encoding::DELTA_BINARY_PACKED);
    let properties =
        IDS.iter().chain([&ROW]).fold(properties, |properties, &column| properties.set_column_dictionary_enabled(column.into(), false));
    let sketch = ColumnPath::from([SKETCH, "list", "item"].map(String::from).to_vec());
    let properties = properties.set_column_dictionary_enabled(sketch, false);
    let properties = properties.set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?));
    Ok(properties.set_statistics_enabled(EnabledStatistics::Chunk).build())
}

/// A row group under construction: the writers of every column, one for each of its leaves.
struct RowGroup(Vec<Vec<ArrowColumnWriter>>);

impl RowGroup {
    fn new(schema: &SchemaRef, writers: Vec<ArrowColumnWriter>) -> Self {
        let mut writers = writers.into_iter();
        RowGroup(schema.fields().iter().map(|field| writers.by_ref().take(leaves(field.data_type())).collect()).collect())
    }

    fn write(&mut self, schema: &SchemaRef, batches: &[RecordBatch]) -> Packed<()> {
        self.0.par_iter_mut().enumerate().try_for_each(|(number, writers)| {
            batches.iter().try_for_each(|batch| {
                let leaves = compute_leaves(schema.field(number), batch.column(number))?;
                writers.iter_mut().zip(&leaves).try_for_each(|(writer, leaf)| writer.write(leaf))
            })
        })
    }

    fn bytes(&self) -> usize {
        self.0.iter().flatten().map(ArrowColumnWriter::memory_size).sum()
    }

    /// Writes everything as one row group.
    fn close(self, file: &mut SerializedFileWriter<File>) -> Packed<()> {
        let chunks: Vec<ArrowColumnChunk> = self.0.into_par_iter().flatten().map(ArrowColumnWriter::close).collect::<Packed<_>>()?;
        let mut group = file.next_row_group()?;
        chunks.into_iter().try_for_each(|chunk| chunk.append_to_row_group(&mut group))?;
        group.close().map(drop)
    }
}

/// Returns the number of leaf columns in which a column of the table is stored.
fn leaves(kind: &DataType) -> usize {
    match kind {
        DataType::Struct(fields) => fields.iter().map(|field| leaves(field.data_type())).sum(),
        DataType::List(field) | DataType::LargeList(field) | DataType::FixedSizeList(field, _) => leaves(field.data_type()),
        _ => 1,
    }
}
