//! Reading the rows of a stream in one task.

use crate::job::given::given;
use crate::job::{Input, Job};
use crate::progress::Watch;
use crate::{Error, Result};
use neardup_core::pass::compiled::CompiledPass;
use neardup_corpus::{Chunk, OnError, ReadOptions, Reject, read_batches};
use std::sync::PoisonError;

/// The result for every chunk with the number of rows before it, and the rejects.
type ChunkRows<T> = (Vec<(T, u64)>, Vec<Reject>);

/// Calls `work` with every chunk of a job's only stream, in order.
pub fn each<T: Send>(job: &mut Job<'_>, pass: &CompiledPass, watch: &Watch, work: impl Fn(&Chunk<'_>) -> T + Sync) -> Result<ChunkRows<T>> {
    job.fields.given = given(std::slice::from_ref(pass))?;
    let Input::Streams(streams) = &mut job.input else { return Err(Error::Usage("a task reads one stream".to_owned())) };
    let mut batches = streams.remove(0).batches.into_inner().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().map_err(Error::file(&std::env::temp_dir(), "make a work folder"))?;
    let spool = folder.path().join("texts");
    let options = ReadOptions {
        threads: 1,
        chunk_bytes: job.options.chunk,
        on_error: OnError::Skip,
        extract: job.extract,
        ..ReadOptions::new(&watch.corpus, &spool)
    };
    let work = |chunk: &Chunk<'_>| Ok::<_, Error>(work(chunk));
    let read = read_batches("1", &mut *batches, &job.fields, &options, &work)?;
    Ok((read.chunks.into_iter().zip(read.rows_before).collect(), read.rejects))
}
