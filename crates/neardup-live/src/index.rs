//! An index: a folder that documents are added to, asked of and removed from, by many threads and processes.
//!
//! Who writes holds the lock of the folder, catches up with what others wrote, decides, and writes its steps to the log;
//! when they are on the disk, they are acknowledged. Whoever comes meanwhile waits in a queue, and all of the queue is
//! committed together. Who reads takes no lock: it sees the index as it was when it opened or refreshed it.

use crate::bench::Bench;
use crate::contents::Contents;
use crate::document::Document;
use crate::folder::{self, sweep_leftovers};
use crate::lock::Lock;
use crate::log::{Log, LogReader};
use crate::manifest::{Manifest, Settings};
use crate::passes::Passes;
use crate::queue::{Answer, Queue, Request};
use crate::segment::Segment;
use crate::shelving;
use crate::signed::Signed;
use crate::step::Step;
use crate::verdict::{Admission, Removal, name, verdict};
use crate::{Error, Result};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Texts in memory are written as a segment when they take so many bytes.
const FRESH_BYTES: usize = 64 << 20;
/// Or when there are so many of them; more where the state, which is written along, is larger.
const FRESH_DOCUMENTS: u32 = 1 << 17;

/// An open index.
pub struct Index {
    dir: PathBuf,
    contents: RwLock<Contents>,
    tail: Mutex<Tail>,
    queue: Queue,
    benches: Mutex<Vec<Bench>>,
    /// How many documents in memory are written as a segment, where not their texts are enough for one before.
    shelf: u32,
}

/// The end of the log, as this process knows it.
struct Tail {
    reader: LogReader,
    /// Open while nobody else has written since.
    log: Option<Log>,
    /// Whether memory may be ahead of the log, after a commit that failed.
    is_stale: bool,
}

impl Index {
    /// Makes an empty index in `dir`, which has none.
    pub fn create(dir: &Path, settings: Settings, passes: Passes) -> Result<Index> {
        folder::create(dir)?;
        let lock = Lock::wait(dir)?;
        if Manifest::exists(dir)? {
            return Err(Error::Usage(format!("{}: there is an index already; open it, or name another folder", dir.display())));
        }
        let manifest = Manifest::new(settings);
        Log::create(&dir.join(&manifest.log), &manifest.settings)?;
        manifest.write(dir)?;
        drop(lock);
        Index::open(dir, |_| Ok(passes))
    }

    /// Opens the index in `dir`, and checks every byte of it; `passes` makes its schemes ready to run, or refuses them.
    pub fn open(dir: &Path, passes: impl FnOnce(&Settings) -> Result<Passes>) -> Result<Index> {
        let passes = passes(&Manifest::read(dir)?.settings)?;
        let (contents, reader) = load(dir, &passes, &[])?;
        let index = Index {
            dir: dir.to_path_buf(),
            contents: RwLock::new(contents),
            tail: Mutex::new(Tail { reader, log: None, is_stale: false }),
            queue: Queue::default(),
            benches: Mutex::default(),
            shelf: FRESH_DOCUMENTS,
        };
        index.refresh()?;
        Ok(index)
    }

    /// The same, with small segments: for tests.
    #[doc(hidden)]
    pub fn with_shelf(self, documents: u32) -> Index {
        Index { shelf: documents, ..self }
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Sees what others have written since.
    pub fn refresh(&self) -> Result<()> {
        self.catch_up(&mut lock(&self.tail))
    }

    /// Adds documents in this order, all or, when one cannot be added, none; `now` in Unix seconds. They are on the disk when
    /// this returns.
    pub fn add(&self, documents: Vec<Document>, now: i64) -> Result<Vec<Admission>> {
        let signed = self.sign(&documents);
        match self.ask(Request::Add { documents, signed, now })? {
            Answer::Added(admissions) => Ok(admissions),
            _ => unreachable!("a request to add is answered by what was added"),
        }
    }

    /// Removes documents by id, all or, when there is one that is not in the index, none.
    pub fn remove(&self, ids: Vec<String>) -> Result<Removal> {
        match self.ask(Request::Remove(ids))? {
            Answer::Removed(removal) => Ok(removal),
            _ => unreachable!("a request to remove is answered by what was removed"),
        }
    }

    /// Removes what has to go by `now`, in Unix seconds.
    pub fn expire(&self, now: i64) -> Result<Removal> {
        match self.ask(Request::Expire { now })? {
            Answer::Removed(removal) => Ok(removal),
            _ => unreachable!("a request to expire is answered by what was removed"),
        }
    }

    /// Makes one segment of all; nothing of removed documents is left on the disk.
    pub fn compact(&self) -> Result<()> {
        self.ask(Request::Compact).map(drop)
    }

    /// Reads the index anew from the disk, every byte of it, and signs every text again: the error names what is not as it was
    /// written.
    pub fn verify(&self) -> Result<()> {
        let passes = self.contents().holdings.passes.clone();
        let fresh = Index::open(&self.dir, |_| Ok(passes))?;
        let contents = fresh.contents();
        let (stock, state) = (&contents.holdings.stock, &contents.holdings.state);
        let is_wrong = |&number: &u32| {
            let row = stock.row(number);
            let signed = fresh.at_bench(|bench| bench.sign(row.text));
            (signed.raw, signed.lexical, signed.features) != (row.raw, row.lexical, row.features)
        };
        let wrong = (0..stock.len()).into_par_iter().filter(|&number| state.is_alive(number)).find_first(is_wrong);
        wrong.map_or(Ok(()), |number| {
            let id = name(&stock.row(number));
            Err(Error::damaged(&self.dir, format!("document {id} was signed otherwise than its text is now: build the index anew")))
        })
    }

    /// The contents as they stand; while they are held, nothing is added.
    pub fn contents(&self) -> RwLockReadGuard<'_, Contents> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` with scratch that is used again afterwards.
    pub fn at_bench<R>(&self, work: impl FnOnce(&mut Bench) -> R) -> R {
        let idle = lock(&self.benches).pop();
        let mut bench = idle.unwrap_or_else(|| Bench::new(&self.contents().holdings.passes));
        let result = work(&mut bench);
        lock(&self.benches).push(bench);
        result
    }

    fn sign(&self, documents: &[Document]) -> Vec<Signed> {
        let sign = |document: &Document| self.at_bench(|bench| bench.sign(document.text.as_bytes()));
        if let [document] = documents { vec![sign(document)] } else { documents.par_iter().map(sign).collect() }
    }

    fn contents_mut(&self) -> RwLockWriteGuard<'_, Contents> {
        self.contents.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a request; whoever gets to write first answers all that are waiting.
    fn ask(&self, request: Request) -> Result<Answer> {
        let ticket = self.queue.join(request);
        let mut tail = lock(&self.tail);
        if let Some(answer) = ticket.answer() {
            return answer;
        }
        let tickets = self.queue.take();
        let requests: Vec<Request> = tickets.iter().filter_map(|ticket| ticket.request()).collect();
        match self.write(&mut tail, requests) {
            Ok(answers) => tickets.iter().zip(answers).for_each(|(ticket, answer)| ticket.tell(answer)),
            Err(error) => tickets.iter().for_each(|ticket| ticket.tell(Err(error.again()))),
        }
        ticket.answer().unwrap_or_else(|| Err(Error::Usage("the request was not answered".to_owned())))
    }

    /// Does what was requested, and commits it.
    fn write(&self, tail: &mut Tail, requests: Vec<Request>) -> Result<Vec<Result<Answer>>> {
        let _lock = Lock::wait(&self.dir)?;
        self.catch_up(tail)?;
        let mut log = self.open_log(tail)?;
        let mut is_asked_to_compact = false;
        let (mut steps, mut answers) = (Vec::new(), Vec::new());
        for request in requests {
            is_asked_to_compact |= matches!(request, Request::Compact);
            answers.push(self.at_bench(|bench| answer(&mut self.contents_mut(), request, &mut steps, bench)));
        }
        // Memory is ahead of the disk from here on.
        tail.is_stale = true;
        for step in &steps {
            log.append(&step.bytes(&self.dir)?)?;
        }
        if !steps.is_empty() {
            log.commit(true)?;
        }
        self.contents_mut().position = log.committed();
        tail.log = Some(log);
        tail.is_stale = false;
        let tidied = if is_asked_to_compact { self.tidy_all(tail) } else { self.tidy(tail) };
        if let Err(error) = tidied {
            // What was acknowledged stands in the log, and stays there until there is room.
            tail.is_stale = true;
            answers.iter_mut().filter(|answer| matches!(answer, Ok(Answer::Compacted))).for_each(|answer| *answer = Err(error.again()));
        }
        Ok(answers)
    }

    /// The log to write to; records behind its end that nobody acknowledged are seen to first.
    fn open_log(&self, tail: &mut Tail) -> Result<Log> {
        let position = self.contents().position;
        match tail.log.take() {
            Some(log) if log.committed() == position => Ok(log),
            _ => {
                let log = Log::open(&self.dir.join(&self.contents().manifest.log))?;
                self.catch_up(tail)?;
                Ok(log)
            }
        }
    }

    /// Brings memory up to what is on the disk.
    fn catch_up(&self, tail: &mut Tail) -> Result<()> {
        let manifest = Manifest::read(&self.dir)?;
        let (is_other, open, passes) = {
            let contents = self.contents();
            (
                manifest.generation != contents.manifest.generation,
                contents.holdings.stock.segments().to_vec(),
                contents.holdings.passes.clone(),
            )
        };
        if is_other || tail.is_stale {
            let (mut contents, reader) = load(&self.dir, &passes, &open)?;
            let mut old = self.contents_mut();
            if !tail.is_stale {
                contents.journal = contents.journal.continuing(std::mem::take(&mut old.journal));
            }
            *old = contents;
            drop(old);
            *tail = Tail { reader, log: None, is_stale: false };
        }
        if tail.reader.refresh()? > self.contents().position {
            self.at_bench(|bench| replay(&mut self.contents_mut(), &self.dir, &tail.reader, bench))?;
        }
        Ok(())
    }

    /// Writes a segment when memory holds enough for one, and merges segments when there are enough of them.
    fn tidy(&self, tail: &mut Tail) -> Result<()> {
        let is_full = {
            let contents = self.contents();
            let (stock, documents) = (&contents.holdings.stock, contents.holdings.stock.fresh().len() as u32);
            contents.fresh_bytes() >= FRESH_BYTES.max(stock.len() as usize * 4) || documents >= self.shelf.max(stock.fresh_start() / 16)
        };
        if is_full {
            self.become_next(tail, |contents, dir| shelving::shelve(contents, dir))?;
            while let Some(segments) = { shelving::alike(&self.contents()) } {
                self.become_next(tail, |contents, dir| shelving::merge(contents, dir, segments))?;
            }
        }
        Ok(())
    }

    fn tidy_all(&self, tail: &mut Tail) -> Result<()> {
        if !{ self.contents().holdings.stock.fresh().is_empty() } {
            self.become_next(tail, |contents, dir| shelving::shelve(contents, dir))?;
        }
        if !{ shelving::is_compact(&self.contents()) } {
            self.become_next(tail, |contents, dir| shelving::merge(contents, dir, 0..contents.holdings.stock.segments().len()))?;
        }
        Ok(())
    }

    /// Writes the files of a next manifest beside those that are read meanwhile, and goes over to them.
    fn become_next(&self, tail: &mut Tail, make: impl FnOnce(&Contents, &Path) -> Result<Manifest>) -> Result<()> {
        let manifest = make(&self.contents(), &self.dir)?;
        manifest.write(&self.dir)?;
        tail.log = None;
        self.catch_up(tail)?;
        sweep_leftovers(&self.dir, &manifest).map(drop)
    }
}

/// The contents of the index in `dir`, and its log; segments that are open already are not opened again.
fn load(dir: &Path, passes: &Passes, open: &[Arc<Segment>]) -> Result<(Contents, LogReader)> {
    loop {
        let manifest = Manifest::read(dir)?;
        let generation = manifest.generation;
        let log = dir.join(&manifest.log);
        let loaded = LogReader::open(&log).and_then(|reader| Ok((Contents::load(dir, manifest, passes.clone(), open)?, reader)));
        // A writer may have gone over to other files meanwhile, and removed these.
        if loaded.is_ok() || Manifest::read(dir)?.generation == generation {
            return loaded;
        }
    }
}

/// Does again what the log tells beyond what is known.
fn replay(contents: &mut Contents, dir: &Path, reader: &LogReader, bench: &mut Bench) -> Result<()> {
    let path = dir.join(&contents.manifest.log);
    for record in reader.read(contents.position) {
        let (_, payload) = record?;
        contents.replay(Step::read(&payload, &path)?, &path, bench)?;
    }
    contents.position = reader.committed();
    Ok(())
}

/// Does what was requested in memory, and notes the steps it takes.
fn answer(contents: &mut Contents, request: Request, steps: &mut Vec<Step<'static>>, bench: &mut Bench) -> Result<Answer> {
    match request {
        Request::Add { documents, signed, now } => add(contents, documents, signed, now, steps, bench).map(Answer::Added),
        Request::Remove(ids) => {
            let number = |id: &String| contents.of_id(id).ok_or_else(|| Error::Data(format!("id `{id}` is not in the index")));
            let mut numbers: Vec<u32> = ids.iter().map(number).collect::<Result<_>>()?;
            numbers.sort_unstable();
            numbers.dedup();
            Ok(Answer::Removed(remove(contents, &numbers, steps, bench)))
        }
        Request::Expire { now } => {
            let numbers = contents.expired(now);
            Ok(Answer::Removed(remove(contents, &numbers, steps, bench)))
        }
        Request::Compact => Ok(Answer::Compacted),
    }
}

fn add(
    contents: &mut Contents,
    documents: Vec<Document>,
    signed: Vec<Signed>,
    now: i64,
    steps: &mut Vec<Step<'static>>,
    bench: &mut Bench,
) -> Result<Vec<Admission>> {
    let mut ids = HashSet::new();
    for document in &documents {
        contents.check_id(document)?;
        if let Some(id) = document.id.as_ref().filter(|id| !ids.insert(id.as_str())) {
            return Err(Error::Data(format!("id `{id}` is given twice")));
        }
    }
    let mut admissions = Vec::with_capacity(documents.len());
    for (document, signed) in documents.into_iter().zip(signed) {
        let same = contents.replaced_by(&document).filter(|&number| contents.is_unchanged(number, &document));
        if let Some(number) = same {
            let replaced = Some(name(&contents.holdings.stock.row(number)));
            let verdict = verdict(&contents.holdings, number, bench);
            admissions.push(Admission { verdict, replaced, unchanged: true, expired: Vec::new(), changed: Vec::new() });
            continue;
        }
        let mut admission = contents.add(&document, now, signed, bench);
        steps.push(Step::Add { arrived: now, document: Cow::Owned(document) });
        let numbers = contents.expired(now);
        if !numbers.is_empty() {
            let Removal { removed, changed } = remove(contents, &numbers, steps, bench);
            admission.changed.retain(|old| !removed.contains(&old.id) && !changed.iter().any(|new| new.id == old.id));
            if let Some(new) = changed.iter().find(|new| new.id == admission.verdict.id) {
                admission.verdict = new.clone();
            }
            let others = changed.into_iter().filter(|new| new.id != admission.verdict.id);
            admission.changed.extend(others.collect::<Vec<_>>());
            admission.expired = removed;
        }
        admissions.push(admission);
    }
    Ok(admissions)
}

fn remove(contents: &mut Contents, numbers: &[u32], steps: &mut Vec<Step<'static>>, bench: &mut Bench) -> Removal {
    if numbers.is_empty() {
        return Removal::default();
    }
    let serials = numbers.iter().map(|&number| contents.holdings.stock.row(number).serial).collect();
    steps.push(Step::Remove { serials });
    contents.remove(numbers, bench)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
