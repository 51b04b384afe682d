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
    /// The passages at later places, in order.
    pub passages: List<LaterPassage>,
    /// The originals of these passages.
    pub originals: Originals,
    /// Effort of the search.
    pub effort: SearchEffort,
}

/// A finished piece of the stage: the later places of a part of the N-grams, or the passages of a block of documents.
#[derive(Serialize, Deserialize)]
enum FinishedPart {
    Part(usize, Partitioned<Later>),
    Block(usize, List<LaterPassage>),
}

/// Pieces that were finished before, by number.
#[derive(Default)]
struct FinishedParts {
    parts: HashMap<usize, Partitioned<Later>>,
    blocks: HashMap<usize, List<LaterPassage>>,
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
            let block_of = ChunkBlocks::new(&self.segments().0, &chunks, blocks);
            let grams = join(chunks);
            // The number of blocks depends on the room and on the number of threads that share it.
            let journal = self.ledger.journal(LedgerStage::Connected, format!("{blocks} blocks"), self.store())?;
            self.watch.phase("connect", count as u64, ProgressUnit::Documents, || {
                let mut done = FinishedParts::new(&journal)?;
                let later = self.later(&grams, (blocks, &block_of), &mut done, &journal)?;
                let passages = self.passages(&later, blocks, &mut done, &journal)?;
                let count = passages.len();
                if u32::try_from(count).is_err() {
                    let advice = "more than a run takes; ask for longer ones: --tokens";
                    return Err(Error::Data(format!("there are {count} repeated passages, {advice}")));
                }
                self.forecast.more("the repeated passages", count as u64 * DISK_PER_PASSAGE, self.watch)?;
                let originals = Originals::of(&passages, self.store(), self.budget.room() / 2)?;
                Ok(Connected { passages, originals, effort })
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
            let later = first::later(self.store(), (grams, number), (blocks, &block), self.budget.room(), self.watch)?;
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
    ) -> Result<List<LaterPassage>> {
        let done = std::mem::take(&mut done.blocks);
        let block = |number| {
            self.watch.check()?;
            if let Some(passages) = done.get(&number) {
                return Ok(passages.clone());
            }
            let mut list = ListBuilder::new(self.store());
            list.extend(passages::passages(self.store(), later, number, self.n)?).map_err(Core::from)?;
            let passages = list.finish().map_err(Core::from)?;
            journal.add(&FinishedPart::Block(number, passages.clone()))?;
            Ok(passages)
        };
        let mut all = List::default();
        (0..blocks).into_par_iter().map(block).collect::<Result<Vec<_>>>()?.into_iter().for_each(|passages| all.extend(passages));
        Ok(all)
    }
}
