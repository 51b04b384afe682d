//! Reading one source, or some of its chunks, as a stream of rows for other tasks.

use crate::distributed::compiled;
use crate::job::Job;
use crate::job::given::given;
use crate::job::options::JobOptions;
use crate::progress::Watch;
use crate::tables::table;
use crate::{Error, Result};
use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use neardup_corpus::{Chunk, OnError, PassedOver, ReadOptions, Record, Reject, Source, SourceSpan, discover, keep, read};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether a source can be read from any chunk of lines on.
pub fn are_lines(source: &Source) -> bool {
    source.is_read_in_parts()
}

/// Returns the unit in which places in a source are counted.
pub fn unit(source: &Source) -> &'static str {
    source.format.unit().name()
}

/// A source, or some chunks of it.
pub struct SourceSplit {
    /// Path of the source.
    pub path: PathBuf,
    /// Name of the source in results and messages.
    pub name: String,
    /// Numbers of the chunks of lines to read; `None` for the whole source.
    pub only: Option<Vec<usize>>,
    /// Number of lines before the first of these chunks.
    pub before: u64,
    /// Whether the source is written again without dropped records, while records that cannot be used are skipped.
    pub is_kept: bool,
}

/// Reads the records of a split and passes batches of them to `send`, in order; the rejects follow. If the source has records
/// that are passed over or texts with flaws, a last batch has one row with the row number 0. Its reject is JSON with the counts
/// of both.
///
/// # Errors
/// Errors of reading, except for those of single records; errors of `send`.
pub fn read_split(job: &mut Job<'_>, split: &SourceSplit, watch: &Watch, send: &(dyn Fn(RecordBatch) -> Result<()> + Sync)) -> Result<()> {
    let mut found = discover(&[split.path.to_string_lossy().into_owned()], &job.options.finding()?)?.sources;
    let source = Source { name: split.name.clone(), ..found.remove(0) };
    job.fields.given = given(&[compiled(job)?])?;
    // Another file may have the field. A field that no file has was refused before.
    job.fields.may_lack = true;
    let folder = tempfile::tempdir().map_err(Error::file(&std::env::temp_dir(), "make a work folder"))?;
    let spool = folder.path().join("texts");
    let options = ReadOptions {
        // One thread, so that chunks are read in order.
        threads: 1,
        chunk_bytes: job.options.chunk,
        only: split.only.as_deref(),
        on_error: OnError::Skip,
        is_kept: split.is_kept,
        extract: job.extract,
        archive: job.archive,
        ..ReadOptions::new(&watch.corpus, &spool)
    };
    let before = AtomicU64::new(split.before);
    let work = |chunk: &Chunk<'_>| {
        let before = before.fetch_add(chunk.rows, Ordering::Relaxed);
        send(rows(&chunk.records, before)?)
    };
    let read = read(&source, &job.fields, &options, &work)?;
    let rejects = read.rejects.into_iter().map(|reject| Reject { row: reject.row + split.before, ..reject });
    send(refused(&rejects.collect::<Vec<_>>())?)?;
    let others = OtherRecords { kinds: read.passed_over, flaws: read.flaws };
    if others.kinds.is_empty() && others.flaws.is_empty() { Ok(()) } else { send(others.row()?) }
}

/// Writes a source, found as the job finds it, without the records `dropped`, each an offset and a length: see [`keep`].
pub fn keep_source(path: &Path, dropped: &[(u64, u64)], target: &Path, options: &JobOptions, watch: &Watch) -> Result<()> {
    let mut found = discover(&[path.to_string_lossy().into_owned()], &options.finding()?)?.sources;
    let mut spans: Vec<SourceSpan> = dropped.iter().map(|&(offset, len)| SourceSpan { offset, len }).collect();
    spans.sort_unstable();
    spans.dedup();
    keep(&found.remove(0), &spans, target, 1, &watch.corpus)?;
    Ok(())
}

/// Number of records of a source that are not documents, by kind, and of texts that could not be read to their end, by flaw.
#[derive(Serialize)]
struct OtherRecords {
    kinds: PassedOver,
    flaws: PassedOver,
}

impl OtherRecords {
    fn row(&self) -> Result<RecordBatch> {
        let mut columns = SplitColumns::default();
        columns.refuse(0, 0, 0, self)?;
        columns.batch()
    }
}

/// Columns of the records that a task receives. `lacks` has a bit for each of [`neardup_corpus::MissingFields::flags`]. A
/// reject is JSON, as in `rejects.jsonl`.
#[derive(Default)]
struct SplitColumns {
    rows: Vec<i64>,
    ids: Vec<Option<String>>,
    texts: Vec<Option<String>>,
    urls: Vec<Option<String>>,
    times: Vec<Option<i64>>,
    ranks: Vec<i32>,
    offsets: Vec<i64>,
    lengths: Vec<i64>,
    lacks: Vec<i32>,
    rejects: Vec<Option<String>>,
}

impl SplitColumns {
    /// Adds a row without a document. `reject` is written as JSON in the column of rejects.
    fn refuse(&mut self, row: u64, offset: u64, len: u64, reject: &impl Serialize) -> Result<()> {
        self.rows.push(row as i64);
        self.ids.push(None);
        self.texts.push(None);
        self.urls.push(None);
        self.times.push(None);
        self.ranks.push(0);
        self.offsets.push(offset as i64);
        self.lengths.push(len as i64);
        self.lacks.push(0);
        self.rejects.push(Some(serde_json::to_string(reject).map_err(|error| Error::Data(error.to_string()))?));
        Ok(())
    }

    fn batch(self) -> Result<RecordBatch> {
        use DataType::{Int32, Int64, Utf8};
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(self.rows)),
            Arc::new(StringArray::from(self.ids)),
            Arc::new(StringArray::from(self.texts)),
            Arc::new(StringArray::from(self.urls)),
            Arc::new(Int64Array::from(self.times)),
            Arc::new(Int32Array::from(self.ranks)),
            Arc::new(Int64Array::from(self.offsets)),
            Arc::new(Int64Array::from(self.lengths)),
            Arc::new(Int32Array::from(self.lacks)),
            Arc::new(StringArray::from(self.rejects)),
        ];
        let kinds = [
            ("row", Int64, false),
            ("id", Utf8, true),
            ("text", Utf8, true),
            ("url", Utf8, true),
            ("time", Int64, true),
            ("rank", Int32, false),
            ("offset", Int64, false),
            ("length", Int64, false),
            ("lacks", Int32, false),
            ("reject", Utf8, true),
        ];
        table::batch(table::schema(&kinds, &[]), columns)
    }
}

fn rows(records: &[Record<'_>], before: u64) -> Result<RecordBatch> {
    let mut columns = SplitColumns::default();
    for record in records {
        columns.rows.push((before + record.row) as i64);
        columns.ids.push(record.id.as_deref().map(str::to_owned));
        columns.texts.push(Some(record.text.decode().into_owned()));
        columns.urls.push(record.url.as_deref().map(str::to_owned));
        columns.times.push(record.time);
        columns.ranks.push(record.rank as i32);
        columns.offsets.push(record.span.offset as i64);
        columns.lengths.push(record.span.len as i64);
        columns.lacks.push(record.lacks.bits() as i32);
        columns.rejects.push(None);
    }
    columns.batch()
}

fn refused(rejects: &[Reject]) -> Result<RecordBatch> {
    let mut columns = SplitColumns::default();
    for reject in rejects {
        columns.refuse(reject.row, reject.offset, reject.len, reject)?;
    }
    columns.batch()
}

/// Returns the message by which a run reports a reject that was written as JSON.
pub fn describe_reject(reject: &str) -> String {
    serde_json::from_str(reject).map_or_else(|_| reject.to_owned(), |reject| neardup_corpus::Error::Data(reject).to_string())
}
