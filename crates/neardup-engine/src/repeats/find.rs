//! Finding: from the anchors of all texts to the passages.

use super::blocks::Blocks;
use super::cutting::Cutting;
use super::found::Found;
use super::looking::{Looked, look};
use super::ranking::rank;
use crate::bench::Tokens;
use crate::budget::Budget;
use crate::forecast::Forecast;
use crate::signed::Signed;
use crate::watch::{Unit, Watch};
use crate::{Error, Result};
use neardup_core::Error as Core;
use neardup_core::control::Control;
use neardup_core::repeats::dealt::{Dealer, Dealt};
use neardup_core::repeats::first::{self, Gram, Later};
use neardup_core::repeats::originals::Originals;
use neardup_core::repeats::passages::{self, Passage};
use neardup_core::repeats::shared::{self, Anchor, PARTS, part};
use neardup_core::segment::Segment;
use neardup_core::store::{Column, Growing, List, Store};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Bytes a repeated place takes while its block is sorted, and may leave as a passage.
const BYTES_PER_PLACE: usize = 40;
/// Blocks of documents that each thread has to sort, at least.
const BLOCKS_PER_THREAD: usize = 4;
/// Bytes that a passage takes of the disk: where it stands and what it repeats, sorted in several ways, and its rows in tables.
const DISK_PER_PASSAGE: u64 = 480;

/// What the anchors of a chunk take of the disk when they are arranged.
pub fn arranging(segment: &Segment) -> u64 {
    (segment.parts.len() * size_of::<Anchor>()) as u64
}

/// What was looked at, in numbers that depend on the documents alone.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Anchors that were chosen.
    pub anchors: u64,
    /// Those that share their fingerprint with another.
    pub shared: u64,
    /// N-grams that were fingerprinted, for theirs is among those.
    pub fingerprinted: u64,
}

/// The shared anchors.
#[derive(Serialize, Deserialize)]
pub struct Shared {
    bits: Column<u64>,
    /// How many there are.
    effort: Effort,
}

/// The documents, and how they are searched.
pub struct Finder<'a> {
    /// Signed by their anchors.
    pub signed: &'a Signed,
    /// Their tokens.
    pub tokens: Tokens,
    /// Tokens of an N-gram.
    pub n: usize,
    /// The memory.
    pub budget: Budget,
    /// What is told of the disk.
    pub forecast: &'a Forecast,
    /// Who watches.
    pub watch: &'a Watch,
}

impl Finder<'_> {
    pub(super) fn store(&self) -> &Store {
        self.signed.catalogue.store()
    }

    /// Every segment with its first document and the number of its first anchor.
    pub(super) fn segments(&self) -> (Vec<(u32, &Segment, u64)>, usize) {
        let mut anchors = 0;
        let numbered = self.signed.segments[0].iter().map(|(first, segment)| {
            let before = anchors;
            anchors += segment.parts.len() as u64;
            (first, segment, before)
        });
        (numbered.collect(), anchors as usize)
    }

    /// Which anchors are shared.
    pub fn shared(&self) -> Result<Shared> {
        let (segments, anchors) = self.segments();
        let room = self.budget.without(anchors.div_ceil(8), || format!("the bits of {anchors} anchors"))?;
        self.watch.phase("arrange", self.signed.len() as u64, Unit::Documents, || {
            let pieces: Vec<Dealt<_>> = segments
                .par_iter()
                .map_init(Dealer::default, |dealer, &(_, segment, before)| {
                    self.watch.check()?;
                    let chosen = self.store().all(segment.parts).map_err(Core::from)?;
                    let entries: Vec<Anchor> = chosen.into_iter().zip(before..).map(Into::into).collect();
                    self.watch.advance(segment.len() as u64);
                    Ok(dealer.deal(self.store(), &entries, PARTS, |entry| part(entry[0])).map_err(Core::from)?)
                })
                .collect::<Result<_>>()?;
            let bits = shared::shared(self.store(), &join(pieces), anchors, room, self.watch)?;
            let shared = bits.iter().map(|word| u64::from(word.count_ones())).sum();
            Ok(Shared {
                bits: self.store().append(&bits).map_err(Core::from)?,
                effort: Effort { anchors: anchors as u64, shared, ..Effort::default() },
            })
        })
    }

    /// How many runs of so many tokens all documents have.
    fn runs(&self, tokens: usize) -> Result<u64> {
        let mut runs = 0;
        for (_, segment) in self.signed.segments[0].iter() {
            let lengths = self.store().all(segment.tokens).map_err(Core::from)?;
            runs += lengths.into_iter().map(|length| (length as usize + 1).saturating_sub(tokens) as u64).sum::<u64>();
        }
        Ok(runs)
    }

    /// About what the N-grams behind the shared anchors take of the disk: of all that there are their share.
    fn disk(&self, shared: &Shared) -> Result<u64> {
        let grams = self.runs(self.n)?;
        let Effort { anchors, shared, .. } = shared.effort;
        let behind = (u128::from(grams) * u128::from(shared) / u128::from(anchors.max(1))) as u64;
        Ok(behind * (size_of::<Gram>() + size_of::<Later>()) as u64)
    }

    /// The passages at all later places, in order, and what was looked at for them.
    pub fn passages(&self, shared: &Shared) -> Result<(List<Passage>, Effort)> {
        self.forecast.more("the repeated places", self.disk(shared)?, self.watch)?;
        let bits = self.store().all(shared.bits).map_err(Core::from)?;
        let room = self.budget.without(bits.len() * 8, || format!("the bits of {} anchors", shared.effort.anchors))?;
        let chunks = self.watch.phase("fingerprint", self.signed.len() as u64, Unit::Documents, || self.grams(&bits))?;
        drop(bits);
        let (threads, count) = (rayon::current_num_threads(), chunks.iter().map(Dealt::len).sum::<usize>());
        let wanted = count.saturating_mul(BYTES_PER_PLACE * threads).div_ceil(room.max(1));
        let blocks = wanted.max(threads * BLOCKS_PER_THREAD).min(self.signed.len().max(1));
        let block_of = Blocks::new(&self.segments().0, &chunks, blocks);
        let grams = join(chunks);
        self.watch.phase("connect", count as u64, Unit::Documents, || {
            let later = first::later(self.store(), &grams, (blocks, &|document| block_of.of(document)), room, self.watch)?;
            let mut all = Growing::new(self.store());
            for first in (0..blocks).step_by(threads) {
                self.watch.check()?;
                let some = (first..(first + threads).min(blocks)).into_par_iter();
                let found: Vec<_> = some.map(|block| passages::passages(self.store(), &later, block, self.n)).collect();
                for passages in found {
                    all.extend(passages?).map_err(Core::from)?;
                }
            }
            Ok((all.finish().map_err(Core::from)?, Effort { fingerprinted: count as u64, ..shared.effort }))
        })
    }

    /// The passages, where they stand, and what is cut of them.
    pub fn found(&self, shared: &Shared, cutting: Cutting) -> Result<Found> {
        let (passages, effort) = self.passages(shared)?;
        let count = passages.len();
        if u32::try_from(count).is_err() {
            return Err(Error::Data(format!("there are {count} repeated passages, more than a run takes; ask for longer ones: --tokens")));
        }
        self.forecast.more("the repeated passages", count as u64 * DISK_PER_PASSAGE, self.watch)?;
        let (signed, store, memory) = (self.signed, self.store(), self.budget.room() / 2);
        self.watch.phase("look", signed.len() as u64, Unit::Documents, || {
            let originals = Originals::of(&passages, store, memory)?;
            let looked = look(signed, self.tokens, &passages, &originals.all, cutting, self.watch)?;
            let (repeated, homes) = rank(&originals, &looked.originals, &looked.later, store, memory)?;
            let tokens = self.runs(1)?;
            let Looked { later: stretches, gaps, changes, repeated_tokens, repeated_documents, .. } = looked;
            Ok(Found { passages, stretches, homes, repeated, gaps, changes, tokens, repeated_tokens, repeated_documents, effort })
        })
    }
}

fn join<T: bytemuck::Pod>(pieces: Vec<Dealt<T>>) -> Dealt<T> {
    let mut all = Dealt::default();
    pieces.into_iter().for_each(|piece| all.append(piece));
    all
}
