//! Sampling: chunks at places spread over all files are signed before the others, and a forecast of the run is made from them.
//!
//! Nothing is done twice. When the turn of such a chunk comes, its result is reused, like that of an interrupted run.

use crate::documents::chunk::CatalogueChunk;
use crate::resources::forecast::{Forecast, SAMPLE};
use crate::resources::sample_stats::{SampleScale, SampleStats, doubt};
use crate::signing::first_reading::{ChunkResult, Signing};
use crate::signing::inputs::Inputs;
use crate::{Error, Result};
use neardup_core::signing::segment::StoredChunk;
use neardup_corpus::{Chunk, ChunkWork, JobControl, MemoryLimits, ReadOptions, Sample, Source, count_lines, read, spread};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Least and greatest number of places of a sample. If chunks are large, fewer places give as many bytes.
const PLACES: [u64; 2] = [16, 64];
/// Number of places at which lines are counted, and bytes of each. Documents of similar length are often next to each other, so a
/// sample of chunks is too coarse to say how many documents there are.
const LINE_PLACES: usize = 1 << 10;
const LINES: usize = 16 << 10;

impl Signing<'_, '_> {
    /// Signs a sample of a large input that can be read at any place, and reports the forecast that follows from it.
    pub(crate) fn sample(&mut self, inputs: &Inputs<'_>) -> Result<()> {
        // A sample is read by one set of fields.
        let is_sampled = |forecast: &&Forecast| forecast.is_of_much() && !self.job.names_reference_fields();
        let Some(forecast) = self.forecast.filter(is_sampled) else { return Ok(()) };
        let sources: Vec<&Source> = inputs.sources.iter().chain(inputs.against).collect();
        let places = (SAMPLE / self.job.options.chunk.max(1) as u64).clamp(PLACES[0], PLACES[1]);
        let Some(samples) = spread(&sources, &self.job.fields, self.job.options.chunk, places as usize) else { return Ok(()) };
        let lines = count_lines(&sources, LINES, LINE_PLACES).map_err(Error::Corpus)?;
        let threads = (self.job.threads / samples.len().max(1)).max(1);
        let signed: Vec<Vec<ChunkResult>> =
            samples.par_iter().map(|sample| self.read_sample(sample, sources[sample.source], threads)).collect::<Result<_>>()?;
        let (mut seen, mut read) = (SampleStats::default(), 0);
        for (sample, signed) in samples.iter().zip(signed) {
            for outcome in signed {
                seen.add(&outcome.value.0, &outcome.value.1);
                read += sample.chunks.binary_search(&outcome.number).map_or(0, |at| sample.bytes[at]);
                self.finished().insert((sample.source as u32, outcome.number), outcome);
            }
        }
        let (bytes, ends) = lines.iter().fold((0, 0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
        if ends == 0 || seen.documents() == 0 {
            return Ok(());
        }
        let total = sources.iter().map(|source| source.bytes).sum::<u64>() as f64;
        let documents = total * ends as f64 / bytes as f64;
        // A run that resumes has signed other chunks, too.
        let all: usize = self.finished().values().map(|outcome| outcome.value.0.len()).sum();
        let taken = self.store.len() as f64 * seen.documents() as f64 / all as f64;
        let scale = SampleScale { documents: documents / seen.documents() as f64, bytes: total / read as f64, doubt: doubt(&lines) };
        forecast.announce_sample(&seen, taken as u64, scale, self.by(), self.watch)
    }

    /// Signs the sample of one source, as far as it can be read.
    fn read_sample(&self, sample: &Sample, source: &Source, threads: usize) -> Result<Vec<ChunkResult>> {
        let early = SampleSigning { signing: self, reading: sample.source as u32, left: Mutex::default() };
        // The progress of these chunks is counted when their turn comes.
        let (control, spool) = (JobControl::default(), self.spool());
        let options = ReadOptions {
            threads,
            chunk_bytes: self.job.options.chunk,
            only: Some(&sample.chunks),
            on_error: self.job.options.on_error,
            // Several sources are read at once, so no record may be much longer than a chunk.
            fits: Some(MemoryLimits { record: self.fits.record.min(2 * self.job.options.chunk), ..self.fits }),
            ..ReadOptions::new(&control, &spool)
        };
        match read(source, &self.job.fields, &options, &early) {
            Ok(_) => {}
            // A bad record is reported in its turn, because the first one may be another. A long record is read in its turn.
            Err(Error::Corpus(neardup_corpus::Error::Data(_) | neardup_corpus::Error::TooLarge(_))) => {}
            Err(error) => return Err(error),
        }
        let mut left = early.left.into_inner().unwrap_or_else(PoisonError::into_inner);
        left.sort_unstable_by_key(|outcome| outcome.number);
        Ok(left)
    }
}

/// Signing of chunks before their turn.
struct SampleSigning<'a, 'b, 'j> {
    signing: &'a Signing<'b, 'j>,
    reading: u32,
    left: Mutex<Vec<ChunkResult>>,
}

impl ChunkWork<(CatalogueChunk, StoredChunk), Error> for SampleSigning<'_, '_, '_> {
    fn work(&self, chunk: &Chunk<'_>) -> Result<(CatalogueChunk, StoredChunk)> {
        neardup_core::util::control::PhaseControl::check(self.signing.watch)?;
        self.signing.sign(chunk)
    }

    fn done(&self, number: usize) -> Option<ChunkResult> {
        let done = self.signing.finished().get(&(self.reading, number)).cloned()?;
        self.left.lock().unwrap_or_else(PoisonError::into_inner).push(done.clone());
        Some(done)
    }

    fn save(&self, outcome: &ChunkResult) -> Result<()> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).push(outcome.clone());
        self.signing.journal.map_or(Ok(()), |journal| journal.add(&(self.reading, outcome)))
    }
}
