//! An index: a folder in which many threads and processes add, query and remove documents.
//!
//! A writer takes the lock of the folder, catches up with the steps of other writers, decides, and writes its steps to the log.
//! They are acknowledged when they are on the disk. Requests that arrive meanwhile wait in a queue, and the whole queue is
//! committed together. A reader takes no lock. It sees the index as it was when the reader opened or refreshed it.
//!
//! `verify` signs every text again and checks that the keys find, connect and decide it as stored. It also connects every component
//! again. `catch_up` brings the shards of an index to one step. `sharded` presents one folder or several as one index.

pub(crate) mod answers;
mod catch_up;
#[cfg(test)]
pub(crate) mod flow;
pub mod info;
mod maintenance;
pub(crate) mod queue;
pub mod sharded;
pub(crate) mod verification;

use crate::decide::comparer::TextComparer;
use crate::decide::passes::IndexPasses;
use crate::decide::verdict::{Admission, Removal};
use crate::documents::document::Document;
use crate::documents::signed::SignedText;
use crate::index::answers::answer;
use crate::index::queue::{Queue, QueueOutcome, Request, RequestAnswer};
use crate::mutex::lock;
use crate::shards::exchange::Exchange;
use crate::shards::peers::Shards;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::folder::{self, refuse_another, refuse_remains, sweep_leftovers};
use crate::snapshot::loader::{load, replay};
use crate::snapshot::manifest::{Manifest, Settings};
use crate::snapshot::segment_writer;
use crate::snapshot::step::IndexStep;
use crate::storage::identity::Identity;
use crate::storage::lock::Lock;
use crate::storage::log::{Log, LogReader};
use crate::{Error, Result};
use neardup_core::util::scratch_pool::ScratchPool;
use neardup_core::util::threads::on_all;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// An open index.
pub struct Index {
    dir: PathBuf,
    passes: IndexPasses,
    shards: Arc<Shards>,
    contents: RwLock<Snapshot>,
    /// The log; `None` if the contents were salvaged from a damaged folder.
    tail: Option<Mutex<Tail>>,
    is_read_only: bool,
    queue: Queue,
    comparers: ScratchPool<TextComparer>,
    /// Number of documents in memory from which they are written as a segment, unless their texts reach the size for one before.
    flush_at: u32,
}

/// The end of the log, as far as this process read it.
struct Tail {
    reader: LogReader,
    /// The log for writing, as long as no other process writes.
    log: Option<Log>,
    /// Whether memory may differ from the log, because an operation was not completed.
    is_stale: bool,
    /// Whether memory also contains steps that are only in the logs of other shards.
    is_ahead: bool,
}

impl Tail {
    fn new(reader: LogReader) -> Tail {
        Tail { reader, log: None, is_stale: false, is_ahead: false }
    }
}

impl Index {
    /// Creates an empty index in `dir`, which must not contain one.
    pub fn create(dir: &Path, settings: Settings, passes: IndexPasses) -> Result<Index> {
        refuse_another(dir)?;
        if let Err(error) = folder::take(dir) {
            // If the folder contains files of an index but no marker, an error about those is more helpful.
            return if dir.is_dir() { refuse_remains(dir).and(Err(error)) } else { Err(error) };
        }
        let lock = Lock::wait(dir)?;
        // Another process may have created an index meanwhile.
        refuse_another(dir)?;
        refuse_remains(dir)?;
        let manifest = Manifest::new(Identity::draw(dir)?, settings);
        Log::create(&dir.join(&manifest.log), &manifest.identity)?;
        manifest.write(dir)?;
        drop(lock);
        Index::open(dir, |_| Ok(passes))
    }

    /// Opens the shard in `dir` as [`Index::open`] does. It communicates with the others through `exchange`.
    pub fn join(dir: &Path, passes: impl FnOnce(&Settings) -> Result<IndexPasses>, exchange: Arc<dyn Exchange>) -> Result<Index> {
        Index::open_by(dir, passes, Some(exchange))
    }

    /// Opens the index in `dir`, and checks every byte of it. `passes` compiles its schemes, or refuses them.
    pub fn open(dir: &Path, passes: impl FnOnce(&Settings) -> Result<IndexPasses>) -> Result<Index> {
        Index::open_by(dir, passes, None)
    }

    fn open_by(dir: &Path, passes: impl FnOnce(&Settings) -> Result<IndexPasses>, exchange: Option<Arc<dyn Exchange>>) -> Result<Index> {
        let settings = Manifest::read(dir)?.settings;
        let passes = IndexPasses { shard: settings.shard.clone(), ..passes(&settings)? };
        let shards = Arc::new(Shards::new(settings.shard, exchange));
        let (contents, reader) = load(dir, &passes, &shards, &[])?;
        let index = Index {
            dir: dir.to_path_buf(),
            passes,
            shards,
            contents: RwLock::new(contents),
            tail: Some(Mutex::new(Tail::new(reader))),
            is_read_only: false,
            queue: Queue::default(),
            comparers: ScratchPool::default(),
            flush_at: segment_writer::FRESH_DOCUMENTS,
        };
        index.refresh()?;
        Ok(index)
    }

    /// Creates a read-only index in memory.
    pub(crate) fn of_contents(dir: &Path, contents: Snapshot) -> Index {
        Index {
            dir: dir.to_path_buf(),
            passes: contents.index_state.passes.clone(),
            shards: Arc::clone(&contents.index_state.shards),
            contents: RwLock::new(contents),
            tail: None,
            is_read_only: true,
            queue: Queue::default(),
            comparers: ScratchPool::default(),
            flush_at: segment_writer::FRESH_DOCUMENTS,
        }
    }

    /// Makes the index read-only.
    pub(crate) fn reading_only(self) -> Index {
        Index { is_read_only: true, ..self }
    }

    /// Sets the number of documents in memory from which they are written as a segment. No answer depends on it.
    pub fn with_flush_at(self, documents: u32) -> Index {
        Index { flush_at: documents, ..self }
    }

    /// The folder of the index.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The passes by which its texts are signed.
    pub fn passes(&self) -> &IndexPasses {
        &self.passes
    }

    /// Catches up with the steps that others have written.
    pub fn refresh(&self) -> Result<()> {
        self.tail().map_or(Ok(()), |mut tail| self.catch_up(&mut tail))
    }

    fn tail(&self) -> Option<MutexGuard<'_, Tail>> {
        self.tail.as_ref().map(lock)
    }

    /// Adds documents in this order: all of them, or none if one cannot be added. `now` is in Unix seconds. They are on the disk
    /// when this returns.
    pub fn add(&self, documents: Vec<Document>, now: i64) -> Result<Vec<Admission>> {
        let signed = self.sign(&documents);
        match self.ask(Request::Add { documents, signed, now })? {
            RequestAnswer::Added(admissions) => Ok(admissions),
            _ => unreachable!("a request to add is answered by what was added"),
        }
    }

    /// Removes documents by id: all of them, or none if one is not in the index.
    pub fn remove(&self, ids: Vec<String>) -> Result<Removal> {
        match self.ask(Request::Remove(ids))? {
            RequestAnswer::Removed(removal) => Ok(removal),
            _ => unreachable!("a request to remove is answered by what was removed"),
        }
    }

    /// Removes the documents that have expired at `now`, in Unix seconds, or that are too many.
    pub fn expire(&self, now: i64) -> Result<Removal> {
        match self.ask(Request::Expire { now })? {
            RequestAnswer::Removed(removal) => Ok(removal),
            _ => unreachable!("a request to expire is answered by what was removed"),
        }
    }

    /// Accepts complete records after the committed length of the log, as a writer does.
    pub fn recover(&self) -> Result<()> {
        self.ask(Request::Remove(Vec::new())).map(drop)
    }

    /// Merges everything into one segment. No data of removed documents remains on the disk.
    pub fn compact(&self) -> Result<()> {
        self.ask(Request::Compact).map(drop)
    }

    /// Applies `read` to the contents as they are on the disk. Waits for the writer, because stores that follow the index must not
    /// learn of steps that a stop would undo.
    pub fn settled<R>(&self, read: impl FnOnce(&Snapshot) -> R) -> Result<R> {
        let mut tail = self.tail();
        if let Some(tail) = tail.as_deref_mut().filter(|tail| tail.is_stale) {
            self.catch_up(tail)?;
        }
        self.together(tail, read)
    }

    /// Applies `read` to the contents with the help of the other shards, once all shards are at the same step.
    fn together<R>(&self, tail: Option<MutexGuard<'_, Tail>>, read: impl FnOnce(&Snapshot) -> R) -> Result<R> {
        let answer = || {
            if let Some(mut tail) = tail {
                self.agree_to_read(&mut tail)?;
            }
            self.shards.begin();
            let answer = read(&*self.readable()?);
            self.shards.fault()?;
            self.shards.end()?;
            Ok(answer)
        };
        // After a failure, no other shard may wait for this one.
        answer().inspect_err(|_| self.shards.leave())
    }

    /// Returns the contents as [`Index::contents`] does, unless one of their files became shorter.
    pub fn readable(&self) -> Result<RwLockReadGuard<'_, Snapshot>> {
        let contents = self.contents();
        contents.index_state.document_table.refuse_cut()?;
        Ok(contents)
    }

    /// Locks the contents in memory for reading. They may be ahead of the disk. No document is added while the lock is held.
    pub fn contents(&self) -> RwLockReadGuard<'_, Snapshot> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is a shard of a split index.
    pub fn is_shard(&self) -> bool {
        self.shards.are_several()
    }

    /// Leaves the exchange between the shards.
    pub fn leave(&self) {
        self.shards.leave();
    }

    /// Takes part in the exchange between the shards again, after a request that failed.
    pub fn rejoin(&self) -> Result<()> {
        self.shards.rejoin()
    }

    /// Applies `read` to the contents in memory, with the help of the other shards.
    pub fn consult<R>(&self, read: impl FnOnce(&Snapshot, &mut TextComparer) -> R) -> Result<R> {
        // An unsplit index need not wait for writers. In a split one, no shard may be written while all are asked.
        let tail = if self.shards.are_several() { self.tail() } else { None };
        self.together(tail, |contents| self.with_comparer(|comparer| read(contents, comparer)))
    }

    /// Runs `work` with a comparer from a pool, to which it returns afterwards.
    pub fn with_comparer<R>(&self, work: impl FnOnce(&mut TextComparer) -> R) -> R {
        // The passes do not come from the contents: the caller may hold the lock of the contents, and a second read lock would wait
        // for a writer that waits for the first.
        self.comparers.with(|| TextComparer::new(&self.passes), work)
    }

    fn sign(&self, documents: &[Document]) -> Vec<SignedText> {
        let sign = |document: &Document| self.with_comparer(|comparer| comparer.sign(document.text.as_bytes()));
        if let [document] = documents { vec![sign(document)] } else { on_all(|| documents.par_iter().map(sign).collect()) }
    }

    fn contents_mut(&self) -> RwLockWriteGuard<'_, Snapshot> {
        self.contents.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a request. The caller whose turn it is answers all waiting requests.
    fn ask(&self, request: Request) -> Result<RequestAnswer> {
        let Some(tail) = self.tail.as_ref().filter(|_| !self.is_read_only) else {
            return Err(Error::Usage(format!("{}: the index was opened to be read only", self.dir.display())));
        };
        let turn = match self.queue.join(request) {
            QueueOutcome::Answered(answer) => return answer,
            QueueOutcome::Turn(turn) => turn,
        };
        let requests = turn.requests();
        let count = requests.len();
        // While waiting for the lock of the folder, hold no other lock, so that readers in this process need not wait.
        let answers = self.lock().and_then(|_lock| self.write(&mut lock(tail), requests));
        if answers.is_err() {
            self.shards.leave();
        }
        turn.answer(answers.unwrap_or_else(|error| (0..count).map(|_| Err(error.again())).collect()))
    }

    /// Executes the requests and commits their steps. The caller holds the lock of the folder.
    fn write(&self, tail: &mut Tail, mut requests: Vec<Request>) -> Result<Vec<Result<RequestAnswer>>> {
        self.catch_up_from_own_log(tail)?;
        drop(self.readable()?);
        let mut log = self.open_log(tail)?;
        if let Some(shard) = self.shards.shard() {
            tail.log = Some(log);
            self.agree(shard, tail, &mut requests)?;
            // All shards are at the same step, so none needs this log any more.
            if let Err(error) = self.tidy(tail) {
                self.put_off(&error);
            }
            // Wait until all shards have removed the files of failed attempts, so that these take no space from the log of another
            // shard.
            self.shards.end()?;
            log = self.open_log(tail)?;
        }
        // From here on, memory is ahead of the disk.
        tail.is_stale = true;
        let mut is_asked_to_compact = false;
        let (mut steps, mut answers) = (Vec::new(), Vec::new());
        for request in requests {
            is_asked_to_compact |= matches!(request, Request::Compact);
            answers.push(self.with_comparer(|comparer| answer(&mut self.contents_mut(), request, &mut steps, comparer)));
        }
        if let Err(error) = self.shards.fault().and_then(|()| self.commit(&mut log, &steps)) {
            // Readers must not see steps that were not acknowledged. If this fails too, the next request tries again.
            let _ = self.catch_up(tail);
            return Err(error);
        }
        self.contents_mut().position = log.committed();
        tail.log = Some(log);
        tail.is_stale = false;
        self.shards.end()?;
        let tidied = match () {
            () if is_asked_to_compact => self.tidy_all(tail),
            // Another shard may need these steps of the log. A shard runs its maintenance before its next request.
            () if self.shards.are_several() => Ok(()),
            () => self.tidy(tail),
        };
        if let Err(error) = tidied {
            self.put_off(&error);
            answers
                .iter_mut()
                .filter(|answer| matches!(answer, Ok(RequestAnswer::Compacted)))
                .for_each(|answer| *answer = Err(error.again()));
        }
        Ok(answers)
    }

    /// Records that a segment could not be written, and removes its incomplete files. Acknowledged steps stay in the log until
    /// there is space.
    fn put_off(&self, error: &Error) {
        let _ = Manifest::read(&self.dir).and_then(|manifest| sweep_leftovers(&self.dir, &manifest));
        let failure = self.contents().failed(error.again());
        self.contents_mut().failure = Some(failure);
    }

    fn commit(&self, log: &mut Log, steps: &[IndexStep<'_>]) -> Result<()> {
        for step in steps {
            log.append(&step.bytes(&self.dir)?)?;
        }
        if steps.is_empty() { Ok(()) } else { log.commit() }
    }

    /// Returns the log for writing. If others have written since, first removes incomplete files and the unacknowledged bytes after
    /// the last complete record.
    fn open_log(&self, tail: &mut Tail) -> Result<Log> {
        let position = self.contents().position;
        match tail.log.take() {
            Some(log) if log.committed() == position => Ok(log),
            _ => {
                let manifest = self.contents().manifest.clone();
                sweep_leftovers(&self.dir, &manifest)?;
                manifest.keep_copy(&self.dir)?;
                let log = Log::open(&self.dir.join(&manifest.log))?;
                self.catch_up(tail)?;
                Ok(log)
            }
        }
    }

    /// Brings memory up to date with the disk.
    fn catch_up(&self, tail: &mut Tail) -> Result<()> {
        // The log may have reached the steps that memory took from other shards.
        let is_outrun = tail.is_ahead && tail.reader.refresh()? > self.contents().position;
        self.catch_up_or_reload(tail, is_outrun)
    }

    /// Does the same, without the steps that are only in the logs of other shards.
    fn catch_up_from_own_log(&self, tail: &mut Tail) -> Result<()> {
        self.catch_up_or_reload(tail, tail.is_ahead)
    }

    fn catch_up_or_reload(&self, tail: &mut Tail, must_reload: bool) -> Result<()> {
        let manifest = Manifest::read(&self.dir)?;
        let (is_other, open) = {
            let contents = self.contents();
            contents.manifest.identity.check(&manifest.identity, &self.dir)?;
            (manifest.generation != contents.manifest.generation, contents.index_state.document_table.segments().to_vec())
        };
        if is_other || tail.is_stale || must_reload {
            let (mut contents, reader) = load(&self.dir, &self.passes, &self.shards, &open)?;
            // Readers must not see the state at the start of the log, before its steps.
            self.with_comparer(|comparer| replay(&mut contents, &self.dir, &reader, comparer))?;
            let mut old = self.contents_mut();
            if !tail.is_stale {
                contents.journal = contents.journal.continuing(std::mem::take(&mut old.journal));
            }
            *old = contents;
            drop(old);
            *tail = Tail::new(reader);
        }
        if tail.reader.refresh()? > self.contents().position {
            tail.is_stale = true;
            self.with_comparer(|comparer| replay(&mut self.contents_mut(), &self.dir, &tail.reader, comparer))?;
            tail.is_stale = false;
        }
        Ok(())
    }
}
