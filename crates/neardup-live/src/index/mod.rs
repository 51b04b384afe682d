//! An index: a folder that documents are added to, asked of and removed from, by many threads and processes.
//!
//! A writer holds the lock of the folder, catches up with what others wrote, decides, and writes its steps to the log;
//! when they are on the disk, they are acknowledged. Requests that come meanwhile wait in a queue, and all of the queue is
//! committed together. A reader takes no lock: it sees the index as it was when it opened or refreshed it.
//!
//! `verify` signs every text again and checks that the index finds, connects and decides it by its keys; it also connects every
//! component again. `agreeing` brings the shards of an index to one step. `sharded` presents one folder or several as one index.

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
    /// None where the contents are no more than a damaged folder still holds.
    tail: Option<Mutex<Tail>>,
    is_read_only: bool,
    queue: Queue,
    benches: ScratchPool<TextComparer>,
    /// How many documents in memory are written as a segment, where not their texts are enough for one before.
    flush_at: u32,
}

/// The end of the log, as this process knows it.
struct Tail {
    reader: LogReader,
    /// Open while no other process has written since.
    log: Option<Log>,
    /// Whether memory may be other than what the log says: what was begun did not come to its end.
    is_stale: bool,
    /// Whether memory has steps, too, that only the logs of other shards contain.
    is_ahead: bool,
}

impl Tail {
    fn new(reader: LogReader) -> Tail {
        Tail { reader, log: None, is_stale: false, is_ahead: false }
    }
}

impl Index {
    /// Makes an empty index in `dir`, which has none.
    pub fn create(dir: &Path, settings: Settings, passes: IndexPasses) -> Result<Index> {
        refuse_another(dir)?;
        if let Err(error) = folder::take(dir) {
            // Of a folder without a marker the files of an index say more.
            return if dir.is_dir() { refuse_remains(dir).and(Err(error)) } else { Err(error) };
        }
        let lock = Lock::wait(dir)?;
        // Another process may have been quicker.
        refuse_another(dir)?;
        refuse_remains(dir)?;
        let manifest = Manifest::new(Identity::draw(dir)?, settings);
        Log::create(&dir.join(&manifest.log), &manifest.identity)?;
        manifest.write(dir)?;
        drop(lock);
        Index::open(dir, |_| Ok(passes))
    }

    /// Opens the shard that is in `dir`, as [`Index::open`]; it asks the others by `exchange`.
    pub fn join(dir: &Path, passes: impl FnOnce(&Settings) -> Result<IndexPasses>, exchange: Arc<dyn Exchange>) -> Result<Index> {
        Index::open_by(dir, passes, Some(exchange))
    }

    /// Opens the index in `dir`, and checks every byte of it; `passes` makes its schemes ready to run, or refuses them.
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
            benches: ScratchPool::default(),
            flush_at: segment_writer::FRESH_DOCUMENTS,
        };
        index.refresh()?;
        Ok(index)
    }

    /// An index in memory alone, which is read only.
    pub(crate) fn of_contents(dir: &Path, contents: Snapshot) -> Index {
        Index {
            dir: dir.to_path_buf(),
            passes: contents.index_state.passes.clone(),
            shards: Arc::clone(&contents.index_state.shards),
            contents: RwLock::new(contents),
            tail: None,
            is_read_only: true,
            queue: Queue::default(),
            benches: ScratchPool::default(),
            flush_at: segment_writer::FRESH_DOCUMENTS,
        }
    }

    /// The same, read only.
    pub(crate) fn reading_only(self) -> Index {
        Index { is_read_only: true, ..self }
    }

    /// The same; this many documents in memory are written as a segment. No answer depends on it.
    pub fn with_flush_at(self, documents: u32) -> Index {
        Index { flush_at: documents, ..self }
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What its texts are signed by.
    pub fn passes(&self) -> &IndexPasses {
        &self.passes
    }

    /// Sees what others have written since.
    pub fn refresh(&self) -> Result<()> {
        self.tail().map_or(Ok(()), |mut tail| self.catch_up(&mut tail))
    }

    fn tail(&self) -> Option<MutexGuard<'_, Tail>> {
        self.tail.as_ref().map(lock)
    }

    /// Adds documents in this order, all or, when one cannot be added, none; `now` in Unix seconds. They are on the disk when
    /// this returns.
    pub fn add(&self, documents: Vec<Document>, now: i64) -> Result<Vec<Admission>> {
        let signed = self.sign(&documents);
        match self.ask(Request::Add { documents, signed, now })? {
            RequestAnswer::Added(admissions) => Ok(admissions),
            _ => unreachable!("a request to add is answered by what was added"),
        }
    }

    /// Removes documents by id, all or, when there is one that is not in the index, none.
    pub fn remove(&self, ids: Vec<String>) -> Result<Removal> {
        match self.ask(Request::Remove(ids))? {
            RequestAnswer::Removed(removal) => Ok(removal),
            _ => unreachable!("a request to remove is answered by what was removed"),
        }
    }

    /// Removes what has to go by `now`, in Unix seconds.
    pub fn expire(&self, now: i64) -> Result<Removal> {
        match self.ask(Request::Expire { now })? {
            RequestAnswer::Removed(removal) => Ok(removal),
            _ => unreachable!("a request to expire is answered by what was removed"),
        }
    }

    /// Takes up what whole records the log has beyond its slots, as a writer does.
    pub fn recover(&self) -> Result<()> {
        self.ask(Request::Remove(Vec::new())).map(drop)
    }

    /// Makes one segment of all; nothing of removed documents is left on the disk.
    pub fn compact(&self) -> Result<()> {
        self.ask(Request::Compact).map(drop)
    }

    /// What `read` makes of the contents as they are on the disk, so it waits for the writer: what hangs on the index must
    /// not be told of steps that a stop takes back.
    pub fn settled<R>(&self, read: impl FnOnce(&Snapshot) -> R) -> Result<R> {
        let mut tail = self.tail();
        if let Some(tail) = tail.as_deref_mut().filter(|tail| tail.is_stale) {
            self.catch_up(tail)?;
        }
        self.together(tail, read)
    }

    /// What `read` makes of the contents with the help of the other shards, when all of them are at the same step.
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
        // No request waits for one that failed.
        answer().inspect_err(|_| self.shards.leave())
    }

    /// The contents, as [`Index::contents`], when their files were not cut.
    pub fn readable(&self) -> Result<RwLockReadGuard<'_, Snapshot>> {
        let contents = self.contents();
        contents.index_state.document_table.refuse_cut()?;
        Ok(contents)
    }

    /// The contents as they are in memory, which may be ahead of the disk; while they are held, nothing is added.
    pub fn contents(&self) -> RwLockReadGuard<'_, Snapshot> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is one of several folders.
    pub fn is_shard(&self) -> bool {
        self.shards.are_several()
    }

    /// Takes no part in what other shards decide.
    pub fn leave(&self) {
        self.shards.leave();
    }

    /// Takes part in what other shards decide, after a request that failed.
    pub fn rejoin(&self) -> Result<()> {
        self.shards.rejoin()
    }

    /// What `read` makes of the contents as they are in memory, with the help of the other shards.
    pub fn consult<R>(&self, read: impl FnOnce(&Snapshot, &mut TextComparer) -> R) -> Result<R> {
        // Writers of a whole index are not waited for; those of shards do not come while all of these are asked.
        let tail = if self.shards.are_several() { self.tail() } else { None };
        self.together(tail, |contents| self.with_comparer(|comparer| read(contents, comparer)))
    }

    /// Runs `work` with scratch that is used again afterwards.
    pub fn with_comparer<R>(&self, work: impl FnOnce(&mut TextComparer) -> R) -> R {
        // The contents are not asked for them: the caller may hold these already, and a second hold would wait for a
        // writer that waits for the first.
        self.benches.with(|| TextComparer::new(&self.passes), work)
    }

    fn sign(&self, documents: &[Document]) -> Vec<SignedText> {
        let sign = |document: &Document| self.with_comparer(|comparer| comparer.sign(document.text.as_bytes()));
        if let [document] = documents { vec![sign(document)] } else { on_all(|| documents.par_iter().map(sign).collect()) }
    }

    fn contents_mut(&self) -> RwLockWriteGuard<'_, Snapshot> {
        self.contents.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a request; the request whose turn it is answers all that are waiting.
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
        // Nothing else is held while another process has it, so that readers of this one need not wait, too.
        let answers = self.lock().and_then(|_lock| self.write(&mut lock(tail), requests));
        if answers.is_err() {
            self.shards.leave();
        }
        turn.answer(answers.unwrap_or_else(|error| (0..count).map(|_| Err(error.again())).collect()))
    }

    /// Does what was requested, and commits it; the lock of the folder is held.
    fn write(&self, tail: &mut Tail, mut requests: Vec<Request>) -> Result<Vec<Result<RequestAnswer>>> {
        self.catch_up_from_own_log(tail)?;
        drop(self.readable()?);
        let mut log = self.open_log(tail)?;
        if let Some(shard) = self.shards.shard() {
            tail.log = Some(log);
            self.agree(shard, tail, &mut requests)?;
            // Now this log is not needed any more.
            if let Err(error) = self.tidy(tail) {
                self.put_off(&error);
            }
            // What one of them writes in vain takes no room from the log of another.
            self.shards.end()?;
            log = self.open_log(tail)?;
        }
        // From here on memory is ahead of the disk.
        tail.is_stale = true;
        let mut is_asked_to_compact = false;
        let (mut steps, mut answers) = (Vec::new(), Vec::new());
        for request in requests {
            is_asked_to_compact |= matches!(request, Request::Compact);
            answers.push(self.with_comparer(|comparer| answer(&mut self.contents_mut(), request, &mut steps, comparer)));
        }
        if let Err(error) = self.shards.fault().and_then(|()| self.commit(&mut log, &steps)) {
            // No reader may see what was not acknowledged. Where this fails, too, the next request tries again.
            let _ = self.catch_up(tail);
            return Err(error);
        }
        self.contents_mut().position = log.committed();
        tail.log = Some(log);
        tail.is_stale = false;
        self.shards.end()?;
        let tidied = match () {
            () if is_asked_to_compact => self.tidy_all(tail),
            // Another shard may need these steps of the log: a shard runs its maintenance before its next request.
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

    /// Notes that a segment could not be written: what was acknowledged stays in the log until there is room. What was begun
    /// takes none.
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

    /// The log to write to. Where others have written since, what they left in the making goes first, and records behind the
    /// end of the log that were not acknowledged are removed.
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

    /// Brings memory up to what is on the disk.
    fn catch_up(&self, tail: &mut Tail) -> Result<()> {
        // The log may have come to the steps that memory has of others.
        let is_outrun = tail.is_ahead && tail.reader.refresh()? > self.contents().position;
        self.catch_up_or_reload(tail, is_outrun)
    }

    /// The same without the steps that only the logs of other shards contain.
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
            // No reader may see the steps before the log without those in it.
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
