//! Reading texts again: of documents that were only counted before, and of those that a later pass sees.

use crate::Result;
use crate::checkpoint::journal::StageJournal;
use crate::documents::chunk::CatalogueChunk;
use crate::progress::{ProgressUnit, Watch};
use crate::signing::worker::{TaskWorker, TextTask};
use neardup_core::signing::segment::StoredChunk;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::numbering::Numbering;
use neardup_core::util::store::Store;
use neardup_corpus::CorpusTexts;
use rayon::prelude::*;
use std::collections::HashMap;

/// Documents whose texts are read again.
pub struct Reread<'a> {
    /// Places of the documents, chunk by chunk.
    pub catalogue_chunks: &'a [CatalogueChunk],
    /// Texts of each reading.
    pub readings: &'a [CorpusTexts],
    /// Whether a document takes part; the others are passed over.
    pub seen: &'a (dyn Fn(DocId) -> bool + Sync),
}

impl Reread<'_> {
    /// Does the task `doing` with the texts, as a phase called `name`. Returns one segment for each chunk. Chunks that are in the
    /// journal are not read again.
    pub fn read(
        &self,
        name: &'static str,
        doing: &TextTask<'_>,
        store: &Store,
        journal: Option<&StageJournal<'_>>,
        watch: &Watch,
    ) -> Result<Vec<StoredChunk>> {
        let done: Vec<(usize, StoredChunk)> = journal.map_or_else(|| Ok(Vec::new()), StageJournal::take)?;
        let done: HashMap<usize, StoredChunk> = done.into_iter().collect();
        let numbering = Numbering::new(self.catalogue_chunks.iter().map(CatalogueChunk::len));
        let fresh = || (TaskWorker::new(doing), Vec::new());
        watch.phase(name, numbering.len() as u64, ProgressUnit::Documents, || {
            let firsts: Vec<DocId> = numbering.firsts().collect();
            let chunks = self.catalogue_chunks.par_iter().zip(firsts).enumerate();
            let chunk = |(worker, buffer): &mut (TaskWorker<'_>, Vec<u8>),
                         (number, (catalogue_chunk, first)): (usize, (&CatalogueChunk, DocId))| {
                if let Some(segment) = done.get(&number) {
                    watch.advance(catalogue_chunk.len() as u64);
                    return Ok(segment.clone());
                }
                let segment = self.chunk(catalogue_chunk, first, worker, buffer, store, watch)?;
                journal.map_or(Ok(()), |journal| journal.add(&(number, &segment)))?;
                Ok(segment)
            };
            chunks.map_init(fresh, chunk).collect()
        })
    }

    fn chunk(
        &self,
        catalogue_chunk: &CatalogueChunk,
        first: DocId,
        worker: &mut TaskWorker<'_>,
        buffer: &mut Vec<u8>,
        store: &Store,
        watch: &Watch,
    ) -> Result<StoredChunk> {
        watch.check()?;
        let (reading, places) = catalogue_chunk.places(store)?;
        for (document, place) in first.onwards().zip(places) {
            if (self.seen)(document) {
                worker.take(self.readings[reading as usize].fetch(place, buffer)?);
            } else {
                worker.pass_over();
            }
        }
        watch.advance(catalogue_chunk.len() as u64);
        worker.finish(store)
    }
}
