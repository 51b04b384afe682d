//! Signing: every record of every source becomes an entry in the catalogue and a row of a segment.

mod sampling;

use crate::bench::{Bench, Doing};
use crate::budget::Budget;
use crate::catalogue::{self, Catalogue, Shelf};
use crate::count::Counted;
use crate::forecast::{By, Forecast};
use crate::job::{Input, Job, Stream};
use crate::journal::Journal;
use crate::ledger::Ledger;
use crate::longest::TooLarge;
use crate::signed::Signed;
use crate::stage::Stage;
use crate::watch::{Unit, Watch};
use crate::{Error, Result};
use neardup_core::segment::Segment;
use neardup_core::segments::Segments;
use neardup_core::store::Store;
use neardup_corpus::{
    Chunk, Discovered, Extent, Fits, Format, Outcome, PassedOver, Read, ReadOptions, Reject, Source, Texts, Work, discover, read,
    read_batches, read_files, read_records, spool_stdin,
};
use neardup_disk::owned::refuse_inputs;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What signing leaves, beside its columns.
#[derive(Serialize, Deserialize)]
pub struct Draft {
    reference: u32,
    names: Vec<String>,
    /// Every chunk; its segment is empty when it was only counted.
    pub parts: Vec<(Shelf, Segment)>,
    /// Records that could not be used.
    pub rejects: Vec<Reject>,
    reference_rejects: usize,
    /// How many of the names are of the input.
    inputs: u32,
    passed_over: Vec<(u32, PassedOver)>,
}

/// The files of a job, a folder for what must be read again, and what all of it will take.
pub struct Inputs<'a> {
    /// Those of the input.
    pub sources: &'a [Source],
    /// Those of the reference.
    pub against: &'a [Source],
    /// The folder.
    pub work: &'a Path,
    /// None where nothing is signed.
    pub forecast: Option<&'a Forecast>,
}

/// The sources of a job and of its reference.
pub fn all_sources(job: &Job<'_>, work: &Path, watch: &Watch) -> Result<(Discovered, Discovered)> {
    let of = |input: &Input| sources(input, job, work, watch);
    Ok((of(&job.input)?, job.against.as_ref().map(of).transpose()?.unwrap_or_default()))
}

/// The documents of a job, signed as `doing` says: those that are in the ledger already, or signed now, from the texts of what
/// was counted or while everything is read.
pub fn signed(
    job: &mut Job<'_>,
    doing: &Doing<'_>,
    counted: Option<Counted>,
    inputs: &Inputs<'_>,
    store: &Arc<Store>,
    ledger: &Ledger<'_>,
    watch: &Watch,
) -> Result<Signed> {
    let mut readings = None;
    let draft = ledger.once(Stage::Signed(0), store, || {
        let journal = ledger.journal(Stage::Signed(0), format!("chunks of {}", job.chunk), store)?;
        let (draft, texts) = match counted {
            Some(counted) => counted.sign(doing, store, &journal, watch)?,
            None => read_all(job, doing, inputs, store, Some(&journal), watch)?,
        };
        readings = Some(texts);
        Ok(draft)
    })?;
    let readings = readings.map_or_else(|| reopen(job, inputs), Ok)?;
    let (shelves, segments): (Vec<Shelf>, Vec<Segment>) = draft.parts.into_iter().unzip();
    Ok(Signed {
        segments: vec![Segments::new(Arc::clone(store), segments)],
        catalogue: Catalogue::new(Arc::clone(store), shelves, draft.names, job.fields.id.is_some()),
        reference: draft.reference,
        rejects: draft.rejects,
        reference_rejects: draft.reference_rejects,
        inputs: draft.inputs,
        passed_over: draft.passed_over,
        readings,
        set_aside: Vec::new(),
    })
}

/// Opens the texts of what was read before.
pub fn reopen(job: &Job<'_>, inputs: &Inputs<'_>) -> Result<Vec<Texts>> {
    let groups = groups(inputs.sources).chain(groups(inputs.against)).enumerate();
    groups.map(|(number, group)| Ok(Texts::open(group, &job.fields, &spool(inputs.work, number))?)).collect()
}

/// Reads every source and stream of a job, and does with the texts what is to be done; of what is in the journal it takes up
/// what was left.
pub fn read_all(
    job: &mut Job<'_>,
    doing: &Doing<'_>,
    inputs: &Inputs<'_>,
    store: &Arc<Store>,
    journal: Option<&Journal<'_>>,
    watch: &Watch,
) -> Result<(Draft, Vec<Texts>)> {
    let streams = |input: &mut Input| if let Input::Streams(streams) = input { std::mem::take(streams) } else { Vec::new() };
    let (input_streams, against_streams) = (streams(&mut job.input), job.against.as_mut().map(streams).unwrap_or_default());
    let total = inputs.sources.iter().chain(inputs.against).map(|source| source.bytes).sum();
    let done: Vec<Piece> = journal.map_or_else(|| Ok(Vec::new()), Journal::take)?;
    let done = done.into_iter().map(|(reading, outcome)| ((reading, outcome.number), outcome)).collect();
    let too_large = TooLarge::new(Budget::new(job.memory, job.threads, job.most_threads)?, doing.unit());
    let ([record, text], tell) = (too_large.most(), |bytes: u64, extent: Extent| too_large.tell(bytes, extent));
    let mut signing = Signing {
        job,
        doing,
        work: inputs.work,
        watch,
        store,
        forecast: inputs.forecast.filter(|_| matches!(doing, Doing::Sign(_) | Doing::Anchor(..))),
        journal,
        done: Mutex::new(done),
        benches: Mutex::default(),
        parts: Vec::new(),
        names: Vec::new(),
        rejects: Vec::new(),
        passed_over: Vec::new(),
        readings: Vec::new(),
        documents: 0,
        fits: Fits { record, text, tell: &tell },
    };
    let phase = match doing {
        Doing::Sign(_) | Doing::Anchor(..) => "sign",
        Doing::Note => "read",
        Doing::Count(..) | Doing::Digest => "count",
    };
    let (reference, reference_rejects, input_names) = watch.phase(phase, total, Unit::Bytes, || {
        signing.sample(inputs)?;
        signing.sources(inputs.sources)?;
        signing.streams(input_streams)?;
        let input = (signing.documents, signing.rejects.len(), signing.names.len() as u32);
        signing.sources(inputs.against)?;
        signing.streams(against_streams)?;
        Ok::<_, Error>(input)
    })?;
    let Signing { parts, names, rejects, passed_over, readings, .. } = signing;
    Ok((Draft { reference, names, parts, rejects, reference_rejects, inputs: input_names, passed_over }, readings))
}

/// The sources of an input; the standard input is spooled into `work` first.
pub fn sources(input: &Input, job: &Job<'_>, work: &Path, watch: &Watch) -> Result<Discovered> {
    let Input::Files(paths) = input else { return Ok(Discovered::default()) };
    let Discovered { mut sources, mut unread } = discover(paths)?;
    if let Some(output) = &job.output {
        unread.leave_out(work.parent().unwrap_or(work));
        refuse_inputs(output, sources.iter().map(|source| source.path.as_path()))?;
    }
    spool_stdin(&mut sources, &work.join("stdin.jsonl"), &watch.corpus)?;
    if job.extract.is_none()
        && let Some(source) = sources.iter().find(|source| source.format == Format::Markup)
    {
        return Err(Error::Usage(format!("{}: HTML needs an extractor; install the extra: pip install 'neardup[html]'", source.name)));
    }
    if job.fields.id.is_some()
        && let Some(source) = sources.iter().find(|source| is_one_document(source) || source.format == Format::Archive)
    {
        return Err(Error::Usage(format!(
            "{}: text, HTML and web archives have no field for an id; leave the id field out: ids are then the source and row",
            source.name
        )));
    }
    Ok(Discovered { sources, unread })
}

fn is_one_document(source: &Source) -> bool {
    matches!(source.format, Format::Plain | Format::Markup)
}

/// Sources that are read together: files of one document each, of one kind; any other source alone.
pub fn groups(sources: &[Source]) -> impl Iterator<Item = &[Source]> {
    sources.chunk_by(|left, right| is_one_document(left) && (left.format, left.compression) == (right.format, right.compression))
}

/// The work file for the texts of one reading.
fn spool(work: &Path, reading: usize) -> PathBuf {
    work.join(format!("texts-{reading}"))
}

/// What a chunk left.
type Left = Outcome<(Shelf, Segment)>;
/// A chunk in the journal: the reading it is of, and what it left.
type Piece = (u32, Left);
/// Chunks by reading and number.
type Chunks = HashMap<(u32, usize), Left>;

struct Signing<'a, 'j> {
    job: &'a Job<'j>,
    doing: &'a Doing<'a>,
    work: &'a Path,
    watch: &'a Watch,
    store: &'a Arc<Store>,
    forecast: Option<&'a Forecast>,
    journal: Option<&'a Journal<'a>>,
    /// Those of the journal.
    done: Mutex<Chunks>,
    benches: Mutex<Vec<(Bench<'a>, catalogue::Draft)>>,
    parts: Vec<(Shelf, Segment)>,
    names: Vec<String>,
    rejects: Vec<Reject>,
    passed_over: Vec<(u32, PassedOver)>,
    readings: Vec<Texts>,
    documents: u32,
    fits: Fits<'a>,
}

impl Signing<'_, '_> {
    fn sources(&mut self, sources: &[Source]) -> Result<()> {
        for group in groups(sources) {
            let (spool, first) = (self.spool(), &group[0]);
            let options = self.options(&spool);
            let read = match first.format {
                Format::Plain | Format::Markup => read_files(group, &options, self)?,
                Format::Archive => self.archive(first, &options)?,
                _ => read(first, &self.job.fields, &options, self)?,
            };
            self.shelve(read, group.iter().map(|source| source.name.clone()))?;
        }
        Ok(())
    }

    fn archive(&self, source: &Source, options: &ReadOptions<'_>) -> Result<Read<(Shelf, Segment)>> {
        let Some(open) = self.job.archive else {
            return Err(Error::Usage(format!(
                "{}: web archives need a reader; install the extra: pip install 'neardup[warc]'",
                source.name
            )));
        };
        let mut records = open(&source.path).map_err(|error| Error::Data(format!("{}: {error}", source.name)))?;
        read_records(&source.name, &mut records, false, options, self)
    }

    fn streams(&mut self, streams: Vec<Stream>) -> Result<()> {
        for (number, stream) in (1..).zip(streams) {
            let mut batches = stream.batches.into_inner().unwrap_or_else(PoisonError::into_inner);
            let (spool, name) = (self.spool(), format!("{number}"));
            let options = ReadOptions { spools_batches: !stream.is_in_memory, ..self.options(&spool) };
            let read = read_batches(&name, &mut *batches, &self.job.fields, &options, self)?;
            self.shelve(read, [name])?;
        }
        Ok(())
    }

    /// Signs or counts one chunk, and writes what is left of it to the store.
    fn sign(&self, chunk: &Chunk<'_>) -> Result<(Shelf, Segment)> {
        let idle = self.benches.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (mut bench, mut entries) = idle.unwrap_or_else(|| (Bench::new(self.doing), catalogue::Draft::default()));
        entries.clear();
        for record in &chunk.records {
            entries.push(record);
            bench.take(record.text);
        }
        let shelf = entries.seal(self.store).map_err(neardup_core::Error::from)?;
        let segment = bench.finish(self.store)?;
        if !chunk.is_large {
            self.benches.lock().unwrap_or_else(PoisonError::into_inner).push((bench, entries));
        }
        Ok((shelf, segment))
    }

    /// What the run is foreseen by.
    fn by(&self) -> By<'_> {
        By { pass: if let Doing::Sign(pass) = self.doing { Some(pass) } else { None }, store: self.store }
    }

    /// Takes a chunk into account, now that it is signed.
    fn count(&self, outcome: &Left) {
        let (shelf, segment) = &outcome.value;
        self.forecast.iter().for_each(|forecast| forecast.count(shelf, segment));
    }

    fn reading(&self) -> u32 {
        self.readings.len() as u32
    }

    fn spool(&self) -> PathBuf {
        spool(self.work, self.readings.len())
    }

    fn finished(&self) -> MutexGuard<'_, Chunks> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn options<'o>(&'o self, spool: &'o Path) -> ReadOptions<'o> {
        ReadOptions {
            threads: self.job.threads,
            chunk_bytes: self.job.chunk,
            on_error: self.job.on_error,
            extract: self.job.extract,
            fits: Some(self.fits),
            goes_on: self.finished().keys().any(|&(reading, _)| reading == self.reading()),
            ..ReadOptions::new(&self.watch.corpus, spool)
        }
    }

    fn shelve(&mut self, read: Read<(Shelf, Segment)>, names: impl IntoIterator<Item = String>) -> Result<()> {
        let (reading, source) = (self.reading(), self.names.len() as u32);
        for ((shelf, segment), rows_before) in read.chunks.into_iter().zip(read.rows_before) {
            let more = u32::try_from(shelf.len()).ok().and_then(|more| self.documents.checked_add(more)).filter(|&sum| sum < u32::MAX);
            self.documents = more.ok_or_else(|| {
                Error::Data(format!("a run takes at most {} documents; split the input, and compare the parts by --against", u32::MAX - 1))
            })?;
            self.parts.push((shelf.placed(rows_before, reading, source, read.unit), segment));
        }
        if !read.passed_over.is_empty() {
            self.passed_over.push((source, read.passed_over));
        }
        self.names.extend(names);
        self.rejects.extend(read.rejects);
        self.readings.push(read.texts);
        Ok(())
    }
}

impl Work<(Shelf, Segment), Error> for Signing<'_, '_> {
    fn work(&self, chunk: &Chunk<'_>) -> Result<(Shelf, Segment)> {
        if let Some(forecast) = self.forecast {
            forecast.tell(self.by(), self.watch)?;
        }
        self.sign(chunk)
    }

    fn done(&self, number: usize) -> Option<Left> {
        let done = self.finished().remove(&(self.reading(), number))?;
        self.count(&done);
        Some(done)
    }

    fn leave(&self, outcome: &Left) -> Result<()> {
        self.count(outcome);
        self.journal.map_or(Ok(()), |journal| journal.add(&(self.reading(), outcome)))
    }
}
