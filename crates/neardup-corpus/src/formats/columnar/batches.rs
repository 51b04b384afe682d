use arrow_array::RecordBatch;

use crate::error::{Error, Result};
use crate::formats::columnar::columns::RecordColumns;
use crate::readers::draft::ChunkDraft;
use crate::readers::options::ReadOptions;
use crate::readers::read::Read;
use crate::readers::worker_pool::{ChunkWork, WorkerPool};
use crate::records::fields::{FieldRoles, Fields};
use crate::records::place::TextPlace;
use crate::records::record::reuse;
use crate::texts::fetch::CorpusTexts;
use crate::texts::spool::Spool;
use crate::unit::PlaceUnit;

struct BatchPiece {
    columns: RecordColumns,
    /// Row of the first record in the whole input, counted from 0.
    first: u64,
    /// Number of its batch, and its first row in that batch, counted from 0.
    part: u32,
    start: u64,
}

/// Like [`crate::formats::read`], for Arrow batches in memory. Records are views of their columns. The text columns are kept for
/// [`CorpusTexts`], unless texts are spooled.
///
/// The iterator runs on this thread. `name` is the name of the input in messages. The text of HTML is extracted and spooled.
///
/// # Errors
/// As in `read`, and [`Error::Input`] for an error of the iterator.
pub fn read_batches<T: Send, E: From<Error> + Send>(
    name: &str,
    batches: &mut dyn Iterator<Item = Result<RecordBatch, Box<dyn std::error::Error + Send + Sync>>>,
    fields: &Fields,
    options: &ReadOptions<'_>,
    work: &dyn ChunkWork<T, E>,
) -> Result<Read<T>, E> {
    let roles = FieldRoles::new(fields);
    let spool = if roles.html || options.spools_batches { Some(Spool::open(options.spool, options.resumes)?) } else { None };
    let mut pool = WorkerPool::new(vec![name], PlaceUnit::Row, options, roles.html, spool.as_ref(), work);
    pool.given = roles.given;
    let mut kept = Vec::new();
    let mut first = 0;
    let gathered = pool.feed(
        options.threads(),
        |feed| {
            for (part, batch) in batches.enumerate() {
                let batch = batch.map_err(|source| Error::Input { name: name.to_owned(), source })?;
                let part = u32::try_from(part)
                    .map_err(|_| Error::Unsupported { name: name.to_owned(), reason: "there are more than 2^32 batches" })?;
                let whole = RecordColumns::new(name, &roles, &batch)?;
                let step = rows_of(options.chunk_bytes(), whole.text.texts.bytes(), batch.num_rows());
                if spool.is_none() {
                    kept.push(whole.text.texts);
                }
                for start in (0..batch.num_rows()).step_by(step) {
                    let columns = RecordColumns::new(name, &roles, &batch.slice(start, step.min(batch.num_rows() - start)))?;
                    let bytes = columns.text.texts.bytes();
                    if !feed.send(BatchPiece { columns, first: first + start as u64, part, start: start as u64 }, bytes) {
                        return Ok(());
                    }
                }
                first += batch.num_rows() as u64;
            }
            Ok(())
        },
        &|worker, number, job: BatchPiece| {
            let mut records = reuse(std::mem::take(&mut worker.records));
            let mut flaws = Vec::new();
            job.columns.read(&roles, job.first, options.max_record(), &mut records, &mut flaws);
            for record in &mut records {
                let len = match record.text {
                    neardup_text::Text::Plain(text) | neardup_text::Text::Json(text) => text.len(),
                };
                record.place = TextPlace::new(job.part, job.start + record.row - 1, len, false);
            }
            let rows = job.columns.text.texts.len() as u64;
            let (outcome, emptied) = pool.finish(ChunkDraft { number, rows, records, flaws }, &mut worker.scratch)?;
            worker.records = emptied;
            Ok((outcome, Vec::new()))
        },
    )?;
    let texts = match spool {
        Some(_) => CorpusTexts::spooled(options.spool)?,
        None => CorpusTexts::batches(kept),
    };
    Ok(gathered.with(texts))
}

/// Returns the number of rows in about one chunk, if `rows` rows have `bytes` bytes.
pub(crate) fn rows_of(chunk: usize, bytes: usize, rows: usize) -> usize {
    (chunk as u128 * rows as u128 / (bytes as u128).max(1)).clamp(1, 1 << 16) as usize
}
