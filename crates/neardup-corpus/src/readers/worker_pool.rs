use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::readers::large::{LargeChunkPermit, Permit};
use crate::readers::options::{OnError, ReadOptions};
use crate::records::fields::GivenKind;
use crate::records::record::{Chunk, Record};
use crate::reject::{RecordError, Reject};
use crate::texts::spool::Spool;
use crate::unit::PlaceUnit;

/// What the caller does with each chunk; a closure does it and remembers nothing.
pub trait ChunkWork<T, E>: Sync {
    /// Does it.
    fn work(&self, chunk: &Chunk<'_>) -> Result<T, E>;

    /// What the chunk of a number left when it was worked on before; then it is not read again.
    fn done(&self, number: usize) -> Option<ChunkOutcome<T>> {
        let _ = number;
        None
    }

    /// Is called for every chunk that was worked on.
    fn leave(&self, outcome: &ChunkOutcome<T>) -> Result<(), E> {
        let _ = outcome;
        Ok(())
    }
}

impl<T, E, F: Fn(&Chunk<'_>) -> Result<T, E> + Sync> ChunkWork<T, E> for F {
    fn work(&self, chunk: &Chunk<'_>) -> Result<T, E> {
        self(chunk)
    }
}

/// A chunk is large from this many times the bytes on that chunks should have.
const LARGE: usize = 4;

/// What a thread does with the chunk of a number.
pub(crate) type NumberedWork<'h, T, E> = dyn Fn(&mut WorkerState<T, E>, usize) -> Result<ChunkOutcome<T>, ChunkFailure<E>> + Sync + 'h;

/// What all threads that read one source share.
pub(crate) struct WorkerPool<'a, T, E> {
    /// The sources as shown: one, except where files are read together.
    pub names: Vec<&'a str>,
    pub unit: PlaceUnit,
    pub options: &'a ReadOptions<'a>,
    /// Whether the texts are HTML still.
    pub html: bool,
    /// Whether the texts are values made elsewhere, and what these must be.
    pub given: Option<GivenKind>,
    pub spool: Option<&'a Spool>,
    pub work: &'a dyn ChunkWork<T, E>,
    /// The lowest number of a chunk that failed.
    failed: AtomicUsize,
    large: LargeChunkPermit,
}

/// What one chunk left.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChunkOutcome<T> {
    /// Its number.
    pub number: usize,
    pub(crate) rows: u64,
    pub(crate) records: u64,
    pub(crate) flaws: Vec<RecordError>,
    /// What the work gave.
    pub value: T,
}

/// Why a chunk gave nothing.
pub(crate) enum ChunkFailure<E> {
    /// A bad record, when such records are to stop the run; its row is known once the chunks before are counted.
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

/// What one thread gathers and reuses.
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

/// The outcomes in chunk order, or the error of the first chunk that failed.
pub(crate) struct ReadChunks<T> {
    pub unit: PlaceUnit,
    pub chunks: Vec<T>,
    pub rows_before: Vec<u64>,
    pub rows: u64,
    pub records: u64,
    pub rejects: Vec<Reject>,
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
            failed: AtomicUsize::new(usize::MAX),
            large: LargeChunkPermit::default(),
        }
    }

    pub fn name(&self) -> &'a str {
        self.names.first().copied().unwrap_or_default()
    }

    fn resolve(&self, flaw: RecordError, rows_before: u64) -> Reject {
        let name = self.names.get(flaw.file as usize).copied().unwrap_or_default();
        flaw.resolve(name, self.unit, rows_before)
    }

    /// Whether a chunk is not worth working on, since one before it failed.
    pub fn is_beyond(&self, number: usize) -> bool {
        number > self.failed.load(Ordering::Relaxed)
    }

    pub fn cancelled(&self) -> Result<(), Error> {
        if self.options.control.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    pub fn stops(&self) -> bool {
        self.options.on_error == OnError::Stop
    }

    /// Whether this many bytes are more than chunks have, except for one with a very long record.
    pub fn is_large(&self, bytes: usize) -> bool {
        bytes > LARGE.saturating_mul(self.options.chunk_bytes())
    }

    /// The permit to work on a chunk of this many bytes, which a large one needs.
    pub fn permit(&self, bytes: usize) -> Option<Permit<'_>> {
        self.is_large(bytes).then(|| self.large.permit())
    }

    /// Lets go of a buffer that was made for a large chunk.
    pub fn trim(&self, buffer: &mut Vec<u8>) {
        if self.is_large(buffer.capacity()) {
            *buffer = Vec::new();
        }
    }

    /// Keeps the outcome of a chunk; a failure stops all work on later chunks.
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

    /// Lets threads take the numbers `0..count` in order until all are done or one failed.
    ///
    /// Numbers are handed out in order and those below a failed one are always finished, so the error that
    /// is reported is the first of the source, at any number of threads.
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

/// The result of a thread; its panic continues here.
pub(crate) fn join<D>(handle: std::thread::ScopedJoinHandle<'_, D>) -> D {
    handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
