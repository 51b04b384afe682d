use std::fs::File;
use std::iter;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use neardup_disk::regular;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ProjectionMask};
use parquet::basic::Type;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;

use crate::error::{Error, Result, listed};
use crate::formats::arrow::rows_of;
use crate::formats::columns::Columns;
use crate::formats::guarded::guarded;
use crate::readers::draft::ChunkDraft;
use crate::readers::options::ReadOptions;
use crate::readers::worker_pool::{ReadChunks, WorkerPool};
use crate::records::fields::FieldRoles;
use crate::records::record::reuse;
use crate::reject::RecordError;
use crate::sources::source::Source;

/// The names of the columns of a Parquet file.
pub(crate) fn columns(source: &Source) -> Result<Vec<String>> {
    Ok(names(open(&source.path, &source.name)?.schema()))
}

fn names(schema: &Schema) -> Vec<String> {
    schema.fields().iter().map(|field| field.name().clone()).collect()
}

/// A Parquet file that is about to be read.
struct Plan<R> {
    batches: R,
    /// Rows of the file, as it says.
    rows: u64,
    /// Bytes of the file for each row.
    share: u64,
}

/// Rows of a Parquet file: one thread decodes the wanted columns, the others do the rest.
///
/// The rows before a damage are read. What follows is one record that cannot be used, and reaches beyond the last row.
pub(crate) fn read<T: Send, E: From<Error> + Send>(
    crew: &WorkerPool<'_, T, E>,
    source: &Source,
    roles: &FieldRoles,
) -> Result<ReadChunks<T>, E> {
    let plan = match plan(source, roles, crew.options) {
        Ok(plan) => Ok(plan),
        Err(Error::Damaged { reason, .. }) => Err(reason),
        Err(error) => return Err(error.into()),
    };
    let share = plan.as_ref().map_or(0, |plan| plan.share);
    crew.feed(
        crew.options.threads() - 1,
        |feed| {
            let (batches, rows) = match plan {
                Ok(Plan { batches, rows, .. }) => (batches, rows),
                Err(reason) => {
                    feed.send((0, Err(RecordError::new(1, 0, &[], reason).open_ended())), 0);
                    return Ok(());
                }
            };
            let mut first = 0;
            for batch in batches {
                let batch = match batch {
                    Ok(batch) => batch,
                    Err(Error::Damaged { reason, .. }) => {
                        let left = RecordError { len: rows.saturating_sub(first), ..RecordError::new(1, first, &[], reason) };
                        feed.send((first, Err(left.open_ended())), 0);
                        break;
                    }
                    Err(error) => return Err(error),
                };
                let rows = batch.num_rows() as u64;
                let bytes = batch.get_array_memory_size();
                if !feed.send((first, Ok(batch)), bytes) {
                    break;
                }
                first += rows;
            }
            Ok(())
        },
        &|desk, number, (first, batch): (u64, Result<RecordBatch, RecordError>)| {
            let columns;
            let mut records = reuse(std::mem::take(&mut desk.records));
            let (mut flaws, mut rows) = (Vec::new(), 0);
            match &batch {
                Ok(batch) => {
                    columns = Columns::new(crew.name(), roles, batch)?;
                    columns.read(roles, first, crew.options.max_record(), &mut records, &mut flaws);
                    rows = batch.num_rows() as u64;
                }
                Err(flaw) => flaws.push(flaw.clone()),
            }
            let (outcome, emptied) = crew.finish(ChunkDraft { number, rows, records, flaws }, &mut desk.scratch)?;
            crew.options.control.add_bytes(share * rows);
            desk.records = emptied;
            Ok((outcome, Vec::new()))
        },
    )
}

fn plan(source: &Source, roles: &FieldRoles, options: &ReadOptions<'_>) -> Result<Plan<impl Iterator<Item = Result<RecordBatch>> + use<>>> {
    let builder = open(&source.path, &source.name)?;
    let schema = builder.schema().clone();
    let mut wanted = Vec::with_capacity(roles.names.len());
    for (slot, field) in roles.names.iter().enumerate() {
        let before = wanted.len();
        wanted.extend(schema.fields().iter().enumerate().filter(|(_, there)| there.name() == field).map(|(place, _)| place));
        if wanted.len() == before && roles.must_have(slot) {
            return Err(Error::Field { name: source.name.clone(), field: field.clone(), available: listed(&names(&schema)) });
        }
    }
    wanted.sort_unstable();
    wanted.dedup();
    let (mask, wanted) = match options.reads_all_columns() {
        true => (ProjectionMask::all(), Some(wanted)),
        false => (ProjectionMask::roots(builder.parquet_schema(), wanted), None),
    };
    let groups = builder.metadata().row_groups();
    let rows: i64 = groups.iter().map(|group| group.num_rows()).sum();
    let columns = groups.iter().flat_map(|group| group.columns().iter().enumerate());
    let bytes: i64 = columns.filter(|(leaf, _)| mask.leaf_included(*leaf)).map(|(_, column)| column.uncompressed_size()).sum();
    let step = rows_of(options.chunk_bytes(), usize::try_from(bytes).unwrap_or(0), usize::try_from(rows).unwrap_or(0));
    let share = source.bytes / u64::try_from(rows).unwrap_or(0).max(1);
    let rows = rows_in(builder.metadata());
    let batches = batches(builder.with_projection(mask).with_batch_size(step), &source.name)?;
    let damaged = damaged(&source.name);
    let batches = batches.map(move |batch| match &wanted {
        Some(wanted) => batch?.project(wanted).map_err(|error| damaged(error.into())),
        None => batch,
    });
    Ok(Plan { batches, rows, share })
}

/// How many rows a file says it has.
pub(crate) fn rows_in(metadata: &ParquetMetaData) -> u64 {
    u64::try_from(metadata.file_metadata().num_rows()).unwrap_or(0)
}

pub(crate) fn open(path: &Path, name: &str) -> Result<ParquetRecordBatchReaderBuilder<File>> {
    let file = regular::open(path).map_err(Error::io(path, "read"))?;
    let metadata = guarded(|| {
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())?;
        match schema(&metadata) {
            None => Ok(metadata),
            Some(schema) => ArrowReaderMetadata::try_new(metadata.metadata().clone(), ArrowReaderOptions::new().with_schema(schema)),
        }
    });
    Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.map_err(damaged(name))?))
}

/// The rows of a file, many at a time.
pub(crate) fn batches(
    builder: ParquetRecordBatchReaderBuilder<File>,
    name: &str,
) -> Result<impl Iterator<Item = Result<RecordBatch>> + use<>> {
    let damaged = damaged(name);
    let mut reader = guarded(|| builder.build()).map_err(&damaged)?;
    Ok(iter::from_fn(move || guarded(|| Ok(reader.next().transpose()?)).map_err(&damaged).transpose()))
}

/// The schema with the old 96-bit times in microseconds, when the file has such columns and does not say their unit.
///
/// Unasked, they are read in nanoseconds, which turn round silently outside the years 1678 to 2261.
fn schema(metadata: &ArrowReaderMetadata) -> Option<Arc<Schema>> {
    let said = metadata.metadata().file_metadata().key_value_metadata();
    if said.is_some_and(|pairs| pairs.iter().any(|pair| pair.key == ARROW_SCHEMA_META_KEY)) {
        return None;
    }
    let columns = metadata.parquet_schema().root_schema().get_fields();
    let is_old = |column: usize| columns[column].is_primitive() && columns[column].get_physical_type() == Type::INT96;
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

pub(crate) fn damaged(name: &str) -> impl Fn(ParquetError) -> Error + use<> {
    let name = name.to_owned();
    move |error| Error::Damaged { name: name.clone(), reason: format!("the Parquet file is damaged or of an unknown kind: {error}") }
}
