use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::readers::large::Permit;
use crate::readers::worker_pool::{ChunkFailure, ChunkOutcome, ReadChunks, WorkerPool, WorkerState, join};

/// A chunk with its number, and the permit that a large chunk needs.
type SentChunk<'f, J> = (usize, J, Option<Permit<'f>>);

/// Sending side of a bounded channel, through which one producer sends chunks to the threads.
pub(crate) struct Feed<'f, J, T, E> {
    pool: &'f WorkerPool<'f, T, E>,
    sender: SyncSender<SentChunk<'f, J>>,
    next: usize,
    spare: &'f Mutex<Vec<Vec<u8>>>,
}

impl<J, T: Send, E: From<Error> + Send> Feed<'_, J, T, E> {
    /// Returns the number of the next chunk.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Sends a chunk of `bytes` bytes. A large chunk waits until the previous large one is done. Returns `false` when no more
    /// chunks are wanted.
    pub fn send(&mut self, job: J, bytes: usize) -> bool {
        let number = self.next;
        self.next += 1;
        !self.pool.is_beyond(number) && self.sender.send((number, job, self.pool.permit(bytes))).is_ok()
    }

    /// Returns an empty buffer, or a used one if there is one.
    pub fn buffer(&self) -> Vec<u8> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }
}

/// Work of the threads on each chunk. It returns a buffer for reuse.
pub(crate) type JobHandler<'h, J, T, E> =
    dyn Fn(&mut WorkerState<T, E>, usize, J) -> Result<(ChunkOutcome<T>, Vec<u8>), ChunkFailure<E>> + Sync + 'h;

impl<T: Send, E: From<Error> + Send> WorkerPool<'_, T, E> {
    /// Runs `produce` on this thread. It sends chunks to `workers` threads, which run `handle` on them.
    pub fn feed<J: Send>(
        &self,
        workers: usize,
        produce: impl FnOnce(&mut Feed<'_, J, T, E>) -> Result<(), Error>,
        handle: &JobHandler<'_, J, T, E>,
    ) -> Result<ReadChunks<T>, E> {
        let workers = workers.max(1);
        let spare = Mutex::new(Vec::new());
        let (sender, receiver) = sync_channel(workers);
        let receiver = Arc::new(Mutex::new(receiver));
        let states = std::thread::scope(|scope| {
            let spare = &spare;
            let handles: Vec<_> = (0..workers)
                .map(|_| {
                    // Only the threads own the receiver: if all of them die, sending fails instead of blocking forever.
                    let receiver = Arc::clone(&receiver);
                    scope.spawn(move || self.run_worker(&receiver, spare, handle))
                })
                .collect();
            drop(receiver);
            let mut feed = Feed { pool: self, sender, next: 0, spare };
            let produced = produce(&mut feed);
            let end = feed.next;
            drop(feed);
            let mut states: Vec<_> = handles.into_iter().map(join).collect();
            if let Err(error) = produced {
                let mut worker = WorkerState::default();
                self.note(&mut worker, end, Err(error.into()));
                states.push(worker);
            }
            states
        });
        self.gather(states)
    }

    fn run_worker<J: Send>(
        &self,
        receiver: &Mutex<Receiver<SentChunk<'_, J>>>,
        spare: &Mutex<Vec<Vec<u8>>>,
        handle: &JobHandler<'_, J, T, E>,
    ) -> WorkerState<T, E> {
        let mut worker = WorkerState::default();
        loop {
            let received = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, job, permit)) = received else {
                return worker;
            };
            if self.is_beyond(number) {
                continue;
            }
            let result = self.cancelled().map_err(ChunkFailure::from).and_then(|()| handle(&mut worker, number, job));
            let result = result.map(|(outcome, mut buffer)| {
                self.trim(&mut buffer);
                spare.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
                outcome
            });
            drop(permit);
            self.note(&mut worker, number, result);
        }
    }
}
