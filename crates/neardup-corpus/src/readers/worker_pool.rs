use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::flaws::Flaws;
use crate::flaws::PassedOver;
use crate::readers::large::{LargeChunkPermit, Permit};
use crate::readers::options::{OnError, ReadOptions};
use crate::records::fields::GivenKind;
use crate::records::record::{Chunk, Record};
use crate::reject::{RecordError, Reject};
use crate::sources::source::Source;
use crate::texts::spool::Spool;
use crate::unit::PlaceUnit;

/// Work of the caller on each chunk. A closure is such work; it remembers no chunk of an earlier run.
pub trait ChunkWork<T, E>: Sync {
    /// Works on a chunk.
    fn work(&self, chunk: &Chunk<'_>) -> Result<T, E>;

    /// Returns the outcome of chunk `number` if an earlier run finished it. Such a chunk is not read again.
    fn done(&self, number: usize) -> Option<ChunkOutcome<T>> {
        let _ = number;
        None
    }

    /// Called for every chunk after the work on it.
    fn save(&self, outcome: &ChunkOutcome<T>) -> Result<(), E> {
        let _ = outcome;
        Ok(())
    }
}

impl<T, E, F: Fn(&Chunk<'_>) -> Result<T, E> + Sync> ChunkWork<T, E> for F {
    fn work(&self, chunk: &Chunk<'_>) -> Result<T, E> {
        self(chunk)
    }
}

/// A chunk with more than this multiple of the intended chunk size is large.
const LARGE: usize = 4;

/// Work of a thread on the chunk with a given number.
pub(crate) type NumberedWork<'h, T, E> = dyn Fn(&mut WorkerState<T, E>, usize) -> Result<ChunkOutcome<T>, ChunkFailure<E>> + Sync + 'h;

/// State that all threads share while they read one source.
pub(crate) struct WorkerPool<'a, T, E> {
    /// Names of the sources, as messages show them. There is one, except if files are read together.
    pub names: Vec<&'a str>,
    pub unit: PlaceUnit,
    pub options: &'a ReadOptions<'a>,
    /// Whether the texts are still HTML.
    pub html: bool,
    /// Kind of the given values, if the texts are given values.
    pub given: Option<GivenKind>,
    pub spool: Option<&'a Spool>,
    pub work: &'a dyn ChunkWork<T, E>,
    /// Flaws of the texts and of the stream.
    pub flaws: Flaws,
    /// Lowest number of a failed chunk.
    failed: AtomicUsize,
    large: LargeChunkPermit,
}

/// Outcome of one chunk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChunkOutcome<T> {
    /// Number of the chunk.
    pub number: usize,
    pub(crate) rows: u64,
    pub(crate) records: u64,
    pub(crate) flaws: Vec<RecordError>,
    /// Result of the work.
    pub value: T,
}

/// Why a chunk has no outcome.
pub(crate) enum ChunkFailure<E> {
    /// A record that cannot be used, when such records stop the run. Its row is known once the previous chunks are counted.
    RecordError(RecordError),
    /// A record that is too large for the memory.
    TooLarge(RecordError),
    Other(E),
}

impl<E: From<Error>> From<Error> for ChunkFailure<E> {
    fn from(error: Error) -> Self {
        ChunkFailure::Other(error.into())
    }
}

/// Results and reusable buffers of one thread.
pub(crate) struct WorkerState<T, E> {
    pub buffer: Vec<u8>,
    pub scratch: Vec<u8>,
    pub records: Vec<Record<'static>>,
    pub outcomes: Vec<ChunkOutcome<T>>,
    pub failure: Option<(usize, ChunkFailure<E>)>,
}

impl<T, E> Default for WorkerState<T, E> {
    fn default() -> Self {
        WorkerState { buffer: Vec::new(), scratch: Vec::new(), records: Vec::new(), outcomes: Vec::new(), failure: None }
    }
}

/// The outcomes of all chunks, in chunk order.
pub(crate) struct ReadChunks<T> {
    pub unit: PlaceUnit,
    pub chunks: Vec<T>,
    pub rows_before: Vec<u64>,
    pub rows: u64,
    pub records: u64,
    pub rejects: Vec<Reject>,
    pub flaws: PassedOver,
}

impl<'a, T: Send, E: From<Error> + Send> WorkerPool<'a, T, E> {
    pub fn new(
        names: Vec<&'a str>,
        unit: PlaceUnit,
        options: &'a ReadOptions<'a>,
        html: bool,
        spool: Option<&'a Spool>,
        work: &'a dyn ChunkWork<T, E>,
    ) -> Self {
        WorkerPool {
            names,
            unit,
            options,
            html,
            given: None,
            spool,
            work,
            flaws: Flaws::default(),
            failed: AtomicUsize::new(usize::MAX),
            large: LargeChunkPermit::default(),
        }
    }

    pub fn name(&self) -> &'a str {
        self.names.first().copied().unwrap_or_default()
    }

    /// Counts a source whose encoding was guessed, with the guess.
    pub fn note_guess(&self, source: &Source) {
        if let Some(is_sure) = source.is_guess_sure {
            let how = if is_sure { "sure" } else { "unsure" };
            self.flaws.add(&format!("encoding guessed as {}, {how}", source.encoding.name()), 1);
        }
    }

    fn resolve(&self, flaw: RecordError, rows_before: u64) -> Reject {
        let name = self.names.get(flaw.file as usize).copied().unwrap_or_default();
        flaw.resolve(name, self.unit, rows_before)
    }

    /// Whether a chunk need not be processed, because an earlier one failed.
    pub fn is_beyond(&self, number: usize) -> bool {
        number > self.failed.load(Ordering::Relaxed)
    }

    pub fn cancelled(&self) -> Result<(), Error> {
        if self.options.control.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    pub fn stops(&self) -> bool {
        self.options.on_error == OnError::Stop
    }

    /// Whether a chunk of `bytes` bytes is large. Only a chunk with a very long record is.
    pub fn is_large(&self, bytes: usize) -> bool {
        bytes > LARGE.saturating_mul(self.options.chunk_bytes())
    }

    /// Waits for the permit that a chunk of `bytes` bytes needs if it is large.
    pub fn permit(&self, bytes: usize) -> Option<Permit<'_>> {
        self.is_large(bytes).then(|| self.large.permit())
    }

    /// Frees a buffer that grew for a large chunk.
    pub fn trim(&self, buffer: &mut Vec<u8>) {
        if self.is_large(buffer.capacity()) {
            *buffer = Vec::new();
        }
    }

    /// Records the result of a chunk. A failure stops all work on later chunks.
    pub fn note(&self, worker: &mut WorkerState<T, E>, number: usize, result: Result<ChunkOutcome<T>, ChunkFailure<E>>) {
        match result {
            Ok(outcome) => worker.outcomes.push(outcome),
            Err(failure) => {
                self.failed.fetch_min(number, Ordering::Relaxed);
                if worker.failure.as_ref().is_none_or(|(earlier, _)| number < *earlier) {
                    worker.failure = Some((number, failure));
                }
            }
        }
    }

    /// Runs `handle` on the numbers `0..count` with several threads, until all are done or one fails.
    ///
    /// Threads take the numbers in order, and every number below a failed one is completed. So the reported error is the first of
    /// the source, for any number of threads.
    pub fn share(&self, count: usize, handle: &NumberedWork<'_, T, E>) -> Result<ReadChunks<T>, E> {
        let next = AtomicUsize::new(0);
        let run_worker = || {
            let mut worker = WorkerState::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count || self.is_beyond(number) {
                    return worker;
                }
                let result = self.cancelled().map_err(ChunkFailure::from).and_then(|()| handle(&mut worker, number));
                self.note(&mut worker, number, result);
            }
        };
        let helpers = self.options.threads().min(count).saturating_sub(1);
        let workers = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..helpers).map(|_| scope.spawn(run_worker)).collect();
            let mut workers = vec![run_worker()];
            workers.extend(handles.into_iter().map(join));
            workers
        });
        self.gather(workers)
    }

    pub fn gather(&self, workers: Vec<WorkerState<T, E>>) -> Result<ReadChunks<T>, E> {
        let mut outcomes = Vec::with_capacity(workers.iter().map(|worker| worker.outcomes.len()).sum());
        let mut first: Option<(usize, ChunkFailure<E>)> = None;
        for worker in workers {
            outcomes.extend(worker.outcomes);
            if let Some((number, failure)) = worker.failure
                && first.as_ref().is_none_or(|(earlier, _)| number < *earlier)
            {
                first = Some((number, failure));
            }
        }
        outcomes.sort_unstable_by_key(|outcome| outcome.number);
        let failed = first.as_ref().map_or(usize::MAX, |(number, _)| *number);
        let mut gathered = ReadChunks {
            unit: self.unit,
            chunks: Vec::with_capacity(outcomes.len()),
            rows_before: Vec::with_capacity(outcomes.len()),
            rows: 0,
            records: 0,
            rejects: Vec::new(),
            flaws: self.flaws.counts(),
        };
        for outcome in outcomes.into_iter().take_while(|outcome| outcome.number < failed) {
            gathered.rejects.extend(outcome.flaws.into_iter().map(|flaw| self.resolve(flaw, gathered.rows)));
            gathered.rows_before.push(gathered.rows);
            gathered.rows += outcome.rows;
            gathered.records += outcome.records;
            gathered.chunks.push(outcome.value);
        }
        match first {
            None => Ok(gathered),
            Some((_, ChunkFailure::Other(error))) => Err(error),
            Some((_, ChunkFailure::RecordError(flaw))) => Err(Error::Data(self.resolve(flaw, gathered.rows)).into()),
            Some((_, ChunkFailure::TooLarge(flaw))) => Err(Error::TooLarge(self.resolve(flaw, gathered.rows)).into()),
        }
    }
}

/// Returns the result of a thread, or resumes its panic on this thread.
pub(crate) fn join<D>(handle: std::thread::ScopedJoinHandle<'_, D>) -> D {
    handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
