//! Connecting: finds the originals of the repeated places, and joins places in a row to passages.

use super::blocks::ChunkBlocks;
use super::finder::{Finder, SearchEffort, join};
use super::fingerprints::Fingerprinted;
use crate::checkpoint::journal::StageJournal;
use crate::checkpoint::stage::LedgerStage;
use crate::progress::ProgressUnit;
use crate::{Error, Result};
use neardup_core::Error as Core;
use neardup_core::repeated_passages::first::{self, Gram, Later};
use neardup_core::repeated_passages::originals::Originals;
use neardup_core::repeated_passages::partitioned::Partitioned;
use neardup_core::repeated_passages::passages::{self, LaterPassage};
use neardup_core::repeated_passages::shared::PARTS;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, ListBuilder};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Bytes that a repeated place takes in memory while its block is sorted, with the passage that it may become.
const BYTES_PER_PLACE: usize = 40;
/// Least number of blocks of documents for each thread to sort.
const BLOCKS_PER_THREAD: usize = 4;
/// Bytes that a passage takes on disk: its place and its original, sorted in several ways, and its rows in tables.
const DISK_PER_PASSAGE: u64 = 480;

/// All passages and their originals.
#[derive(Serialize, Deserialize)]
pub struct Connected {
    /// The passages at later places of the input, in order.
    pub passages: List<LaterPassage>,
    /// The originals of these passages.
    pub originals: Originals,
    /// The passages at later places of the reference. They are no result, but pieces of the reference are composed of them.
    pub in_reference: List<LaterPassage>,
    /// Effort of the search.
    pub effort: SearchEffort,
}

/// A finished piece of the stage: the later places of a part of the N-grams, or the passages of a block of documents.
#[derive(Serialize, Deserialize)]
enum FinishedPart {
    Part(usize, Partitioned<Later>),
    Block(usize, FoundPassages),
}

/// Passages of the input, and of the reference.
#[derive(Clone, Default, Serialize, Deserialize)]
struct FoundPassages {
    of_input: List<LaterPassage>,
    of_reference: List<LaterPassage>,
}

/// Pieces that were finished before, by number.
#[derive(Default)]
struct FinishedParts {
    parts: HashMap<usize, Partitioned<Later>>,
    blocks: HashMap<usize, FoundPassages>,
}

impl FinishedParts {
    fn new(journal: &StageJournal<'_>) -> Result<Self> {
        let mut done = FinishedParts::default();
        for piece in journal.take()? {
            match piece {
                FinishedPart::Part(number, later) => drop(done.parts.insert(number, later)),
                FinishedPart::Block(number, passages) => drop(done.blocks.insert(number, passages)),
            }
        }
        Ok(done)
    }
}

impl Finder<'_> {
    /// Finds all passages.
    pub(super) fn connected(&self) -> Result<Connected> {
        self.ledger.once(LedgerStage::Connected, self.store(), || {
            let Fingerprinted { chunks, effort } = self.fingerprinted()?;
            let (threads, count) = (rayon::current_num_threads(), effort.fingerprinted as usize);
            let wanted = count.saturating_mul(BYTES_PER_PLACE * threads).div_ceil(self.budget.room().max(1));
            let blocks = wanted.max(threads * BLOCKS_PER_THREAD).min(self.signed.len().max(1));
            let segments = self.segments().0;
            let block_of = ChunkBlocks::new(&segments, &chunks, blocks);
            let (of_reference, of_input): (Vec<_>, Vec<_>) =
                segments.iter().zip(chunks).partition(|((first, ..), _)| self.signed.is_reference(*first));
            let grams = join(of_reference.into_iter().chain(of_input).map(|(_, grams)| grams));
            // The number of blocks depends on the room and on the number of threads that share it.
            let journal = self.ledger.journal(LedgerStage::Connected, format!("{blocks} blocks"), self.store())?;
            self.watch.phase("connect", count as u64, ProgressUnit::Documents, || {
                let mut done = FinishedParts::new(&journal)?;
                let later = self.later(&grams, (blocks, &block_of), &mut done, &journal)?;
                let FoundPassages { of_input: passages, of_reference: in_reference } =
                    self.passages(&later, blocks, &mut done, &journal)?;
                let count = passages.len() + in_reference.len();
                if u32::try_from(count).is_err() {
                    let advice = "more than a run takes; ask for longer ones: --tokens";
                    return Err(Error::Data(format!("there are {count} repeated passages, {advice}")));
                }
                self.forecast.more("the repeated passages", count as u64 * DISK_PER_PASSAGE, self.watch)?;
                let originals = Originals::of(&passages, self.store(), self.budget.room() / 2)?;
                Ok(Connected { passages, originals, in_reference, effort })
            })
        })
    }

    /// Returns the later places of all parts of the N-grams.
    fn later(
        &self,
        grams: &Partitioned<Gram>,
        (blocks, block_of): (usize, &ChunkBlocks),
        done: &mut FinishedParts,
        journal: &StageJournal<'_>,
    ) -> Result<Partitioned<Later>> {
        let done = std::mem::take(&mut done.parts);
        let part = |number| {
            if let Some(later) = done.get(&number) {
                return Ok(later.clone());
            }
            let block = |document| block_of.of(document);
            let places = (blocks, &block as &dyn Fn(DocId) -> usize);
            let later = first::later(self.store(), (grams, number), self.reference, places, self.budget.room(), self.watch)?;
            journal.add(&FinishedPart::Part(number, later.clone()))?;
            Ok(later)
        };
        Ok(join((0..PARTS).into_par_iter().map(part).collect::<Result<Vec<_>>>()?))
    }

    /// Returns the passages of all blocks, in order.
    fn passages(
        &self,
        later: &Partitioned<Later>,
        blocks: usize,
        done: &mut FinishedParts,
        journal: &StageJournal<'_>,
    ) -> Result<FoundPassages> {
        let done = std::mem::take(&mut done.blocks);
        let block = |number| {
            self.watch.check()?;
            if let Some(passages) = done.get(&number) {
                return Ok(passages.clone());
            }
            let mut found = passages::passages(self.store(), later, number, self.n)?;
            let of_reference = found.split_off(found.partition_point(|passage| !self.reference.includes(passage.document)));
            let passages = FoundPassages { of_input: self.listed(found)?, of_reference: self.listed(of_reference)? };
            journal.add(&FinishedPart::Block(number, passages.clone()))?;
            Ok(passages)
        };
        let mut all = FoundPassages::default();
        for passages in (0..blocks).into_par_iter().map(block).collect::<Result<Vec<_>>>()? {
            all.of_input.extend(passages.of_input);
            all.of_reference.extend(passages.of_reference);
        }
        Ok(all)
    }

    fn listed(&self, passages: Vec<LaterPassage>) -> Result<List<LaterPassage>> {
        let mut list = ListBuilder::new(self.store());
        list.extend(passages).map_err(Core::from)?;
        Ok(list.finish().map_err(Core::from)?)
    }
}
