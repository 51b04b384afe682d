//! The first reading: every record of every source becomes an entry in the catalogue and a row of a segment.

use crate::checkpoint::journal::StageJournal;
use crate::documents::chunk::{CatalogueChunk, CatalogueDraft};
use crate::job::{BatchStream, Input, Job};
use crate::progress::{ProgressUnit, Watch};
use crate::resources::budget::Budget;
use crate::resources::forecast::{Forecast, ForecastBasis};
use crate::resources::longest::TooLarge;
use crate::signing::inputs::{Inputs, groups, spool};
use crate::signing::worker::{TaskWorker, TextTask};
use crate::{Error, Result};
use neardup_core::signing::segment::StoredChunk;
use neardup_core::util::store::Store;
use neardup_corpus::{
    Chunk, ChunkOutcome, ChunkWork, CorpusTexts, Fields, MemoryLimits, OversizedPart, PassedOver, Read, ReadOptions, Reject, ResponsePlace,
    Source, archives, read_batches, read_together,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The state that signing saves, except for columns, which are in the store.
#[derive(Serialize, Deserialize)]
pub struct SigningDraft {
    pub(crate) reference: u32,
    pub(crate) names: Vec<String>,
    /// All chunks; the segment of a chunk that was only counted is empty.
    pub parts: Vec<(CatalogueChunk, StoredChunk)>,
    /// Records that could not be used.
    pub rejects: Vec<Reject>,
    pub(crate) reference_rejects: usize,
    /// Number of names that are of the input.
    pub(crate) inputs: u32,
    pub(crate) passed_over: Vec<(u32, PassedOver)>,
    pub(crate) flaws: Vec<(u32, PassedOver)>,
    /// Source and row of each revisit, and the place of its response.
    pub(crate) revisits: Vec<(u32, u64, ResponsePlace)>,
    /// Number of rows of all readings.
    #[serde(default)]
    pub(crate) rows: u64,
}

/// Reads every source and stream of a job, and does the task `doing` with the texts. Chunks that are in the journal are not read
/// again.
pub fn read_all(
    job: &mut Job<'_>,
    doing: &TextTask<'_>,
    inputs: &Inputs<'_>,
    store: &Arc<Store>,
    journal: Option<&StageJournal<'_>>,
    watch: &Watch,
) -> Result<(SigningDraft, Vec<CorpusTexts>)> {
    let streams = |input: &mut Input| if let Input::Streams(streams) = input { std::mem::take(streams) } else { Vec::new() };
    let (input_streams, against_streams) = (streams(&mut job.input), job.against.as_mut().map(streams).unwrap_or_default());
    let total = inputs.sources.iter().chain(inputs.against).map(|source| source.bytes).sum();
    let done: Vec<SignedChunk> = journal.map_or_else(|| Ok(Vec::new()), StageJournal::take)?;
    let done = done.into_iter().map(|(reading, outcome)| ((reading, outcome.number), outcome)).collect();
    let too_large = TooLarge::new(Budget::new(job.memory, job.threads, job.most_threads)?, doing.unit());
    let ([record, text], describe) = (too_large.most(), |bytes: u64, extent: OversizedPart| too_large.describe(bytes, extent));
    let mut signing = Signing {
        job,
        doing,
        work: inputs.work,
        only: inputs.only,
        watch,
        store,
        forecast: inputs.forecast.filter(|_| matches!(doing, TextTask::Sign(_) | TextTask::Anchor(..))),
        journal,
        done: Mutex::new(done),
        idle_workers: Mutex::default(),
        parts: Vec::new(),
        names: Vec::new(),
        rejects: Vec::new(),
        passed_over: Vec::new(),
        flaws: Vec::new(),
        revisits: Vec::new(),
        rows: 0,
        archives: archives(inputs.sources).chain(archives(inputs.against)).filter(|_| inputs.finds_responses).collect(),
        readings: Vec::new(),
        documents: 0,
        fits: MemoryLimits { record, text, describe: &describe },
    };
    let phase = match doing {
        TextTask::Sign(_) | TextTask::Anchor(..) => "sign",
        TextTask::Note => "read",
        TextTask::Count(..) | TextTask::Digest => "count",
    };
    let (reference, reference_rejects, input_names) = watch.phase(phase, total, ProgressUnit::Bytes, || {
        signing.sample(inputs)?;
        let fields = &job.fields;
        signing.sources(inputs.sources, fields, inputs.are_kept)?;
        signing.streams(input_streams, fields)?;
        let input = (signing.documents, signing.rejects.len(), signing.names.len() as u32);
        let fields = job.reference_fields();
        signing.sources(inputs.against, &fields, false)?;
        signing.streams(against_streams, &fields)?;
        Ok::<_, Error>(input)
    })?;
    let Signing { parts, names, rejects, passed_over, flaws, revisits, rows, readings, .. } = signing;
    Ok((
        SigningDraft { reference, names, parts, rejects, reference_rejects, inputs: input_names, passed_over, flaws, revisits, rows },
        readings,
    ))
}

/// Result of a chunk.
pub(crate) type ChunkResult = ChunkOutcome<(CatalogueChunk, StoredChunk)>;
/// A chunk in the journal: the number of its reading, and its result.
type SignedChunk = (u32, ChunkResult);
/// Chunks by reading and number.
pub(crate) type ChunkResults = HashMap<(u32, usize), ChunkResult>;

/// A first reading under way.
pub(crate) struct Signing<'a, 'j> {
    pub(crate) job: &'a Job<'j>,
    pub(crate) doing: &'a TextTask<'a>,
    pub(crate) work: &'a Path,
    pub(crate) only: Option<&'a [usize]>,
    pub(crate) watch: &'a Watch,
    pub(crate) store: &'a Arc<Store>,
    pub(crate) forecast: Option<&'a Forecast>,
    pub(crate) journal: Option<&'a StageJournal<'a>>,
    /// Chunks from the journal and from the sample.
    pub(crate) done: Mutex<ChunkResults>,
    pub(crate) idle_workers: Mutex<Vec<(TaskWorker<'a>, CatalogueDraft)>>,
    pub(crate) parts: Vec<(CatalogueChunk, StoredChunk)>,
    pub(crate) names: Vec<String>,
    pub(crate) rejects: Vec<Reject>,
    pub(crate) passed_over: Vec<(u32, PassedOver)>,
    pub(crate) flaws: Vec<(u32, PassedOver)>,
    pub(crate) revisits: Vec<(u32, u64, ResponsePlace)>,
    pub(crate) rows: u64,
    /// All web archives of the run.
    pub(crate) archives: Vec<PathBuf>,
    pub(crate) readings: Vec<CorpusTexts>,
    pub(crate) documents: u32,
    pub(crate) fits: MemoryLimits<'a>,
}

impl Signing<'_, '_> {
    fn sources(&mut self, sources: &[Source], fields: &Fields, are_kept: bool) -> Result<()> {
        for group in groups(sources) {
            let spool = self.spool();
            let options = ReadOptions { is_kept: are_kept, ..self.options(&spool) };
            let read = read_together(group, fields, &options, self)?;
            self.shelve(read, group.iter().map(|source| source.name.clone()))?;
        }
        Ok(())
    }

    fn streams(&mut self, streams: Vec<BatchStream>, fields: &Fields) -> Result<()> {
        for stream in streams {
            let mut batches = stream.batches.into_inner().unwrap_or_else(PoisonError::into_inner);
            let (spool, name) = (self.spool(), stream.name);
            let options = ReadOptions { spools_batches: !stream.is_in_memory, ..self.options(&spool) };
            let read = read_batches(&name, &mut *batches, fields, &options, self)?;
            self.shelve(read, [name])?;
        }
        Ok(())
    }

    /// Signs or counts one chunk, and writes the result to the store.
    pub(crate) fn sign(&self, chunk: &Chunk<'_>) -> Result<(CatalogueChunk, StoredChunk)> {
        let idle = self.idle_workers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (mut worker, mut entries) = idle.unwrap_or_else(|| (TaskWorker::new(self.doing), CatalogueDraft::default()));
        entries.clear();
        for record in &chunk.records {
            entries.push(record);
            worker.take(record.text);
        }
        let catalogued = entries.seal(self.store).map_err(neardup_core::Error::from)?;
        let segment = worker.finish(self.store)?;
        if !chunk.is_large {
            self.idle_workers.lock().unwrap_or_else(PoisonError::into_inner).push((worker, entries));
        }
        Ok((catalogued, segment))
    }

    /// Returns the basis of the forecast.
    pub(crate) fn by(&self) -> ForecastBasis<'_> {
        ForecastBasis { pass: if let TextTask::Sign(pass) = self.doing { Some(pass) } else { None }, store: self.store }
    }

    /// Adds a signed chunk to the forecast.
    fn count(&self, outcome: &ChunkResult) {
        let (catalogued, segment) = &outcome.value;
        self.forecast.iter().for_each(|forecast| forecast.count(catalogued, segment));
    }

    fn reading(&self) -> u32 {
        self.readings.len() as u32
    }

    pub(crate) fn spool(&self) -> PathBuf {
        spool(self.work, self.readings.len())
    }

    pub(crate) fn finished(&self) -> MutexGuard<'_, ChunkResults> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn options<'o>(&'o self, spool: &'o Path) -> ReadOptions<'o> {
        ReadOptions {
            threads: self.job.threads,
            chunk_bytes: self.job.options.chunk,
            only: self.only,
            on_error: self.job.options.on_error,
            extract: self.job.extract,
            archive: self.job.archive,
            archives: &self.archives,
            fits: Some(self.fits),
            resumes: self.finished().keys().any(|&(reading, _)| reading == self.reading()),
            ..ReadOptions::new(&self.watch.corpus, spool)
        }
    }

    fn shelve(&mut self, read: Read<(CatalogueChunk, StoredChunk)>, names: impl IntoIterator<Item = String>) -> Result<()> {
        let (reading, source) = (self.reading(), self.names.len() as u32);
        for ((catalogued, segment), rows_before) in read.chunks.into_iter().zip(read.rows_before) {
            let more = u32::try_from(catalogued.len()).ok().and_then(|more| self.documents.checked_add(more)).filter(|&sum| sum < u32::MAX);
            self.documents = more.ok_or_else(|| {
                Error::Data(format!("a run takes at most {} documents; split the input, and compare the parts by --against", u32::MAX - 1))
            })?;
            self.parts.push((catalogued.placed(rows_before, reading, source, read.unit), segment));
        }
        if !read.flaws.is_empty() {
            self.flaws.push((source, read.flaws));
        }
        if !read.passed_over.is_empty() {
            self.passed_over.push((source, read.passed_over));
        }
        self.revisits.extend(read.revisits.into_iter().map(|(row, response)| (source, row, response)));
        self.rows += read.rows;
        self.names.extend(names);
        self.rejects.extend(read.rejects);
        self.readings.push(read.texts);
        Ok(())
    }
}

impl ChunkWork<(CatalogueChunk, StoredChunk), Error> for Signing<'_, '_> {
    fn work(&self, chunk: &Chunk<'_>) -> Result<(CatalogueChunk, StoredChunk)> {
        if let Some(forecast) = self.forecast {
            forecast.announce_early(self.by(), self.watch)?;
        }
        self.sign(chunk)
    }

    fn done(&self, number: usize) -> Option<ChunkResult> {
        let done = self.finished().remove(&(self.reading(), number))?;
        self.count(&done);
        Some(done)
    }

    fn save(&self, outcome: &ChunkResult) -> Result<()> {
        self.count(outcome);
        self.journal.map_or(Ok(()), |journal| journal.add(&(self.reading(), outcome)))
    }
}
