//! Fingerprinting: texts with a shared anchor are read again, and their N-grams are fingerprinted.

use super::finder::{Finder, SearchEffort};
use crate::Result;
use crate::checkpoint::journal::StageJournal;
use crate::checkpoint::stage::LedgerStage;
use crate::documents::chunk::CatalogueChunk;
use crate::progress::ProgressUnit;
use neardup_core::Error as Core;
use neardup_core::repeated_passages::anchors::Anchors;
use neardup_core::repeated_passages::first::{Gram, place};
use neardup_core::repeated_passages::grams::Grams;
use neardup_core::repeated_passages::partitioned::{Partitioned, RadixPartitioner};
use neardup_core::repeated_passages::shared::{PARTS, is_shared, part};
use neardup_core::signing::segment::StoredChunk;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::Store;
use neardup_text::Tokeniser;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Number of gathered N-grams at which they are partitioned.
const GATHERED: usize = 1 << 16;

/// The N-grams of all places whose anchor is shared.
#[derive(Serialize, Deserialize)]
pub struct Fingerprinted {
    /// The N-grams, chunk by chunk.
    pub chunks: Vec<Partitioned<Gram>>,
    /// Effort of the search.
    pub effort: SearchEffort,
}

impl Finder<'_> {
    /// Fingerprints the N-grams whose anchor is shared.
    pub(super) fn fingerprinted(&self) -> Result<Fingerprinted> {
        let store = self.store();
        self.ledger.once(LedgerStage::Fingerprinted, store, || {
            let shared = self.shared()?;
            let journal = self.ledger.journal(LedgerStage::Fingerprinted, "chunks".to_owned(), store)?;
            let done: HashMap<usize, Partitioned<Gram>> = journal.take()?.into_iter().collect();
            let taken = done.values().map(Partitioned::len).sum::<usize>() * size_of::<Gram>();
            self.forecast.more("the repeated places", self.disk(&shared)?.saturating_sub(taken as u64), self.watch)?;
            let bits = store.all(shared.bits).map_err(Core::from)?;
            self.budget.without(bits.len() * 8, || format!("the bits of {} anchors", shared.effort.anchors))?;
            let chunks =
                self.watch.phase("fingerprint", self.signed.len() as u64, ProgressUnit::Documents, || self.grams(&bits, done, &journal))?;
            let fingerprinted = chunks.iter().map(Partitioned::len).sum::<usize>() as u64;
            Ok(Fingerprinted { chunks, effort: SearchEffort { fingerprinted, ..shared.effort } })
        })
    }

    /// Returns the N-grams, chunk by chunk. The chunks in `done` are not read again.
    fn grams(&self, bits: &[u64], done: HashMap<usize, Partitioned<Gram>>, journal: &StageJournal<'_>) -> Result<Vec<Partitioned<Gram>>> {
        let segments = self.segments().0;
        let catalogue_chunks = self.signed.catalogue.catalogue_chunks();
        let fresh = || FingerprintWorker {
            finder: self,
            bits,
            tokeniser: Tokeniser::new(self.tokens.rules, self.tokens.seed),
            anchors: Anchors::new(self.n),
            grams: Grams::new(self.n),
            partitioner: RadixPartitioner::default(),
            entries: Vec::new(),
            buffer: Vec::new(),
        };
        let chunks = catalogue_chunks.par_iter().zip(&segments).enumerate();
        chunks
            .map_init(fresh, |reader, (number, (catalogue_chunk, &(first, segment, before)))| {
                self.watch.check()?;
                self.watch.advance(segment.len() as u64);
                if let Some(grams) = done.get(&number) {
                    return Ok(grams.clone());
                }
                let grams = reader.chunk(catalogue_chunk, first, segment, before)?;
                journal.add(&(number, &grams))?;
                Ok(grams)
            })
            .collect()
    }
}

/// The tools of one thread.
struct FingerprintWorker<'a> {
    finder: &'a Finder<'a>,
    bits: &'a [u64],
    tokeniser: Tokeniser,
    anchors: Anchors,
    grams: Grams,
    partitioner: RadixPartitioner<Gram>,
    entries: Vec<Gram>,
    buffer: Vec<u8>,
}

impl FingerprintWorker<'_> {
    /// Reads those texts of a chunk again that have a shared anchor, and fingerprints their N-grams.
    fn chunk(&mut self, catalogue_chunk: &CatalogueChunk, first: DocId, segment: &StoredChunk, before: u64) -> Result<Partitioned<Gram>> {
        let (store, signed) = (self.finder.store(), self.finder.signed);
        let (reading, places) = catalogue_chunk.places(store)?;
        let ends = store.all(segment.part_ends).map_err(Core::from)?;
        let (mut partitioned, mut start) = (Partitioned::default(), before);
        for ((document, place_of_text), end) in first.onwards().zip(places).zip(ends) {
            let range = std::mem::replace(&mut start, before + u64::from(end))..before + u64::from(end);
            if signed.is_set_aside(document) || !range.clone().any(|number| is_shared(self.bits, number)) {
                continue;
            }
            let tokens = self.tokeniser.tokens(signed.readings[reading as usize].fetch(place_of_text, &mut self.buffer)?);
            let gram = self.grams.of(tokens);
            let (bits, entries) = (self.bits, &mut self.entries);
            self.anchors.each(tokens, |begin, number, _| {
                if is_shared(bits, range.start + number as u64) {
                    let [first, second] = gram(begin);
                    entries.push([first, second, place(document, begin as u32)]);
                }
            });
            drop(gram);
            if self.entries.len() >= GATHERED {
                partitioned.append(self.partition(store)?);
            }
        }
        partitioned.append(self.partition(store)?);
        Ok(partitioned)
    }

    fn partition(&mut self, store: &Store) -> Result<Partitioned<Gram>> {
        let partitioned = self.partitioner.partition(store, &self.entries, PARTS, |gram| part(gram[0])).map_err(Core::from)?;
        self.entries.clear();
        Ok(partitioned)
    }
}
