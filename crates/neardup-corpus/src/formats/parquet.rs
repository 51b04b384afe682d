//! Apache Parquet.

use std::fs::File;
use std::iter;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use neardup_disk::regular;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ProjectionMask};
use parquet::basic::{LogicalType, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::{SchemaDescriptor, Type};

use crate::error::{Error, Result};
use crate::format::FormatFacts;
use crate::formats::columnar::batches::rows_of;
use crate::formats::columnar::file::{BatchWriter, Batches, ColumnFile, WantedRows};
use crate::formats::columnar::guarded::guarded;
use crate::formats::columnar::{Columnar, facts};

static FACTS: FormatFacts = facts(&["parquet"]);

/// Apache Parquet.
pub(crate) const PARQUET: Columnar<ParquetFile> = Columnar::new(&FACTS);

/// A Parquet file.
pub(crate) struct ParquetFile {
    name: String,
    builder: ParquetRecordBatchReaderBuilder<File>,
}

impl ColumnFile for ParquetFile {
    fn open(path: &Path, name: &str) -> Result<Self> {
        let file = regular::open(path).map_err(Error::io(path, "read"))?;
        let metadata = checked(name, || {
            let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?;
            agree_on_rows(metadata.metadata())?;
            match schema(&metadata) {
                None => Ok(metadata),
                Some(schema) => ArrowReaderMetadata::try_new(metadata.metadata().clone(), ArrowReaderOptions::new().with_schema(schema)),
            }
        })?;
        Ok(ParquetFile { name: name.to_owned(), builder: ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata) })
    }

    fn schema(&self) -> &SchemaRef {
        self.builder.schema()
    }

    fn rows(&self) -> u64 {
        u64::try_from(self.builder.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    fn batches(self, wanted: WantedRows<'_>) -> Result<Batches> {
        let ParquetFile { name, builder } = self;
        let mask = match wanted.columns {
            None => ProjectionMask::all(),
            Some(columns) => ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied()),
        };
        let rows = rows_at_once(builder.metadata(), &mask, wanted.bytes);
        let limit = usize::try_from(wanted.rows).unwrap_or(usize::MAX);
        let builder = builder.with_projection(mask).with_batch_size(rows).with_limit(limit);
        let mut reader = checked(&name, || builder.build())?;
        let batches = iter::from_fn(move || checked(&name, || Ok(reader.next().transpose()?)).transpose());
        Ok(Box::new(batches.map(|batch| batch.map(|batch| (batch.get_array_memory_size(), batch)).map(|(bytes, batch)| (batch, bytes)))))
    }

    fn writer(&self, to: File, schema: &SchemaRef, added: usize) -> std::io::Result<Box<dyn BatchWriter>> {
        let more = &schema.fields()[schema.fields().len() - added..];
        let writer = ArrowWriter::try_new_with_options(to, Arc::clone(schema), options(self.builder.metadata(), more)?)?;
        Ok(Box::new(writer))
    }
}

impl BatchWriter for ArrowWriter<File> {
    fn write(&mut self, batch: &RecordBatch) -> std::io::Result<()> {
        Ok(ArrowWriter::write(self, batch)?)
    }

    fn close(self: Box<Self>) -> std::io::Result<()> {
        Ok(ArrowWriter::close(*self).map(drop)?)
    }
}

/// Returns the number of rows that have about `bytes` bytes.
fn rows_at_once(metadata: &ParquetMetaData, mask: &ProjectionMask, bytes: usize) -> usize {
    let groups = metadata.row_groups();
    let rows: i64 = groups.iter().map(|group| group.num_rows()).sum();
    let columns = groups.iter().flat_map(|group| group.columns().iter().enumerate());
    let all: i64 = columns.filter(|(leaf, _)| mask.leaf_included(*leaf)).map(|(_, column)| column.uncompressed_size()).sum();
    rows_of(bytes, usize::try_from(all).unwrap_or(0), usize::try_from(rows).unwrap_or(0))
}

/// Returns the schema with the old 96-bit times in microseconds, if the file has such columns and does not state their unit.
///
/// By default the library reads them as nanoseconds, which overflow silently outside the years 1678 to 2261.
fn schema(metadata: &ArrowReaderMetadata) -> Option<Arc<Schema>> {
    let stated = metadata.metadata().file_metadata().key_value_metadata();
    if stated.is_some_and(|pairs| pairs.iter().any(|pair| pair.key == ARROW_SCHEMA_META_KEY)) {
        return None;
    }
    let columns = metadata.parquet_schema().root_schema().get_fields();
    let is_old = |column: usize| columns[column].is_primitive() && columns[column].get_physical_type() == PhysicalType::INT96;
    let micros = |(column, field): (usize, &Arc<Field>)| match field.data_type() {
        DataType::Timestamp(TimeUnit::Nanosecond, zone) if is_old(column) => {
            Arc::new(field.as_ref().clone().with_data_type(DataType::Timestamp(TimeUnit::Microsecond, zone.clone())))
        }
        _ => Arc::clone(field),
    };
    let schema = metadata.schema();
    let fields: Vec<_> = schema.fields().iter().enumerate().map(micros).collect();
    (0..columns.len()).any(is_old).then(|| Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
}

/// Reads from a file. An error or panic of the library becomes [`Error::Damaged`].
fn checked<T>(name: &str, read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T> {
    guarded(read).map_err(|error| Error::Damaged {
        name: name.to_owned(),
        reason: format!("the Parquet file is damaged or of an unknown kind: {error}"),
    })
}

/// Refuses a file whose row groups do not add up to the number of rows that it states. Otherwise rows could be missed or written
/// twice.
fn agree_on_rows(metadata: &ParquetMetaData) -> std::result::Result<(), ParquetError> {
    let stated = i128::from(metadata.file_metadata().num_rows());
    let rows: i128 = metadata.row_groups().iter().map(|group| i128::from(group.num_rows())).sum();
    if rows == stated {
        return Ok(());
    }
    Err(ParquetError::General(format!("it says that it has {stated} rows, and its row groups have {rows}")))
}

/// Returns the options for writing a file like this one, with more columns at its end.
fn options(metadata: &ParquetMetaData, more: &[Arc<Field>]) -> Result<ArrowWriterOptions, ParquetError> {
    let file = metadata.file_metadata();
    let mut key_values = file.key_value_metadata().cloned();
    // The Arrow schema of the source lacks the further columns. The writer adds another one.
    let states = |pairs: &Vec<KeyValue>| pairs.iter().any(|pair| pair.key == ARROW_SCHEMA_META_KEY);
    let is_stated_anew = !more.is_empty() && key_values.as_ref().is_some_and(states);
    if is_stated_anew {
        key_values.iter_mut().for_each(|pairs| pairs.retain(|pair| pair.key != ARROW_SCHEMA_META_KEY));
    }
    let largest = metadata.row_groups().iter().map(|group| group.num_rows()).max();
    let mut properties = WriterProperties::builder()
        .set_key_value_metadata(key_values)
        .set_max_row_group_row_count(largest.and_then(|rows| usize::try_from(rows).ok()).filter(|rows| *rows > 0));
    for column in metadata.row_groups().first().iter().flat_map(|group| group.columns()) {
        properties = properties.set_column_compression(column.column_path().clone(), column.compression());
    }
    // The metadata already contains the Arrow schema if the source has one.
    let options = ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(!is_stated_anew);
    // The library can only read the old 96-bit times. They are written as the 64-bit times as which they are read.
    let leaves = file.schema_descr().columns();
    if leaves.iter().any(|leaf| leaf.physical_type() == PhysicalType::INT96) {
        Ok(options)
    } else {
        Ok(options.with_parquet_schema(with_columns(file.schema_descr(), more)?))
    }
}

/// Returns the columns of a file, with more columns of texts or 64-bit numbers at their end.
fn with_columns(own: &SchemaDescriptor, more: &[Arc<Field>]) -> Result<SchemaDescriptor, ParquetError> {
    let column = |field: &Arc<Field>| {
        let (kind, logical) = match field.data_type() {
            DataType::Int64 => (PhysicalType::INT64, None),
            _ => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Ok(Arc::new(Type::primitive_type_builder(field.name(), kind).with_logical_type(logical).build()?))
    };
    let root = own.root_schema();
    let columns = root.get_fields().iter().cloned().map(Ok).chain(more.iter().map(column));
    let columns = columns.collect::<Result<Vec<_>, ParquetError>>()?;
    Ok(SchemaDescriptor::new(Arc::new(Type::group_type_builder(root.name()).with_fields(columns).build()?)))
}
