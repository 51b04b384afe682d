use arrow_array::RecordBatch;

use crate::error::{Error, Result};
use crate::formats::columnar::columns::{self, RecordColumns};
use crate::formats::columnar::file::{Batches, ColumnFile, WantedRows};
use crate::readers::draft::ChunkDraft;
use crate::readers::options::ReadOptions;
use crate::readers::worker_pool::{ReadChunks, WorkerPool};
use crate::records::fields::FieldRoles;
use crate::records::record::reuse;
use crate::reject::RecordError;
use crate::sources::source::Source;

/// Reads the rows of a file. One thread decodes the wanted columns, the others do the rest.
///
/// The rows before a damaged part are read. The rest of the file is one record that cannot be used, and its span reaches past the
/// last row.
pub(super) fn read<F: ColumnFile, T: Send, E: From<Error> + Send>(
    pool: &WorkerPool<'_, T, E>,
    source: &Source,
    roles: &FieldRoles,
) -> Result<ReadChunks<T>, E> {
    let opened = match open::<F>(source, roles, pool.options) {
        Err(Error::Damaged { reason, .. }) => Err(reason),
        opened => Ok(opened?),
    };
    // Bytes of the file per row.
    let share = opened.as_ref().map_or(0, |(_, rows)| source.bytes / (*rows).max(1));
    pool.feed(
        pool.options.threads() - 1,
        |feed| {
            let (batches, rows) = match opened {
                Ok(opened) => opened,
                Err(reason) => {
                    feed.send((0, Err(RecordError::new(1, 0, &[], reason).open_ended())), 0);
                    return Ok(());
                }
            };
            let mut first = 0;
            for batch in batches {
                let (batch, bytes) = match batch {
                    Ok(batch) => batch,
                    Err(Error::Damaged { reason, .. }) => {
                        let left = RecordError { len: rows.saturating_sub(first), ..RecordError::new(1, first, &[], reason) };
                        feed.send((first, Err(left.open_ended())), 0);
                        break;
                    }
                    Err(error) => return Err(error),
                };
                let rows = batch.num_rows() as u64;
                if !feed.send((first, Ok(batch)), bytes) {
                    break;
                }
                first += rows;
            }
            Ok(())
        },
        &|worker, number, (first, batch): (u64, Result<RecordBatch, RecordError>)| {
            let columns;
            let mut records = reuse(std::mem::take(&mut worker.records));
            let (mut flaws, mut rows) = (Vec::new(), 0);
            match &batch {
                Ok(batch) => {
                    columns = RecordColumns::new(pool.name(), roles, batch)?;
                    columns.read(roles, first, pool.options.max_record(), &mut records, &mut flaws);
                    rows = batch.num_rows() as u64;
                }
                Err(flaw) => flaws.push(flaw.clone()),
            }
            let (outcome, emptied) = pool.finish(ChunkDraft { number, rows, records, flaws }, &mut worker.scratch)?;
            pool.options.control.add_bytes(share * rows);
            worker.records = emptied;
            Ok((outcome, Vec::new()))
        },
    )
}

/// Opens a file. Returns its wanted columns and the number of rows that it states.
fn open<F: ColumnFile>(source: &Source, roles: &FieldRoles, options: &ReadOptions<'_>) -> Result<(Batches, u64)> {
    let file = F::open(&source.path, &source.name)?;
    let (schema, rows) = (file.schema().clone(), file.rows());
    let wanted = columns::needed(&source.name, &schema, roles)?;
    let reads_all = options.reads_all_columns();
    let columns = if reads_all { None } else { Some(&wanted[..]) };
    let batches = file.batches(WantedRows { columns, rows: u64::MAX, bytes: options.chunk_bytes() })?;
    if !reads_all {
        return Ok((batches, rows));
    }
    // The indices are those of the schema of the file.
    let name = source.name.clone();
    let project = move |(batch, bytes): (RecordBatch, usize)| match batch.project(&wanted) {
        Ok(batch) => Ok((batch, bytes)),
        Err(error) => Err(Error::Damaged { name: name.clone(), reason: error.to_string() }),
    };
    Ok((Box::new(batches.map(move |batch| batch.and_then(&project))), rows))
}
