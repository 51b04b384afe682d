//! The documents of a run, and which of their anchors are shared.

use crate::Result;
use crate::checkpoint::ledger::Ledger;
use crate::checkpoint::stage::LedgerStage;
use crate::documents::signed::SignedCorpus;
use crate::progress::{ProgressUnit, Watch};
use crate::resources::budget::Budget;
use crate::resources::forecast::Forecast;
use crate::signing::worker::TokenForm;
use neardup_core::Error as Core;
use neardup_core::repeated_passages::first::{Gram, Later};
use neardup_core::repeated_passages::partitioned::{Partitioned, RadixPartitioner};
use neardup_core::repeated_passages::shared::{self, Anchor, PARTS, part};
use neardup_core::signing::segment::StoredChunk;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{Store, StoredColumn};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What the anchors of a chunk take of the disk when they are arranged.
pub fn arranging(segment: &StoredChunk) -> u64 {
    (segment.parts.len() * size_of::<Anchor>()) as u64
}

/// What was looked at, in numbers that depend on the documents alone.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct SearchEffort {
    /// Anchors that were chosen.
    pub anchors: u64,
    /// Those that share their fingerprint with another.
    pub shared: u64,
    /// N-grams that were fingerprinted, for theirs is among those.
    pub fingerprinted: u64,
}

/// The shared anchors.
#[derive(Serialize, Deserialize)]
pub struct SharedAnchors {
    /// A bit for each of all anchors.
    pub bits: StoredColumn<u64>,
    /// How many there are.
    pub effort: SearchEffort,
}

/// The documents, and how they are searched.
pub struct Finder<'a> {
    /// Signed by their anchors.
    pub signed: &'a SignedCorpus,
    /// Their tokens.
    pub tokens: TokenForm,
    /// Tokens of an N-gram.
    pub n: usize,
    /// The memory.
    pub budget: Budget,
    /// What is reported of the disk.
    pub forecast: &'a Forecast,
    /// What was done before, and what is left of it.
    pub ledger: &'a Ledger<'a>,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

impl Finder<'_> {
    pub(super) fn store(&self) -> &Store {
        self.signed.catalogue.store()
    }

    /// Every segment with its first document and the number of its first anchor.
    pub(super) fn segments(&self) -> (Vec<(DocId, &StoredChunk, u64)>, usize) {
        let mut anchors = 0;
        let numbered = self.signed.segments[0].iter().map(|(first, segment)| {
            let before = anchors;
            anchors += segment.parts.len() as u64;
            (first, segment, before)
        });
        (numbered.collect(), anchors as usize)
    }

    /// Which anchors are shared.
    pub(super) fn shared(&self) -> Result<SharedAnchors> {
        self.ledger.once(LedgerStage::Arranged(0), self.store(), || self.share())
    }

    fn share(&self) -> Result<SharedAnchors> {
        let (segments, anchors) = self.segments();
        let room = self.budget.without(anchors.div_ceil(8), || format!("the bits of {anchors} anchors"))?;
        self.watch.phase("arrange", self.signed.len() as u64, ProgressUnit::Documents, || {
            let pieces: Vec<Partitioned<_>> = segments
                .par_iter()
                .map_init(RadixPartitioner::default, |partitioner, &(_, segment, before)| {
                    self.watch.check()?;
                    let chosen = self.store().all(segment.parts).map_err(Core::from)?;
                    let entries: Vec<Anchor> = chosen.into_iter().zip(before..).map(Into::into).collect();
                    self.watch.advance(segment.len() as u64);
                    Ok(partitioner.partition(self.store(), &entries, PARTS, |entry| part(entry[0])).map_err(Core::from)?)
                })
                .collect::<Result<_>>()?;
            let bits = shared::shared(self.store(), &join(pieces), anchors, room, self.watch)?;
            let shared = bits.iter().map(|word| u64::from(word.count_ones())).sum();
            Ok(SharedAnchors {
                bits: self.store().append(&bits).map_err(Core::from)?,
                effort: SearchEffort { anchors: anchors as u64, shared, ..SearchEffort::default() },
            })
        })
    }

    /// How many runs of this many tokens all documents have.
    pub(super) fn runs(&self, tokens: usize) -> Result<u64> {
        let mut runs = 0;
        for (_, segment) in self.signed.segments[0].iter() {
            let lengths = self.store().all(segment.tokens).map_err(Core::from)?;
            runs += lengths.into_iter().map(|length| (length as usize + 1).saturating_sub(tokens) as u64).sum::<u64>();
        }
        Ok(runs)
    }

    /// About what the N-grams behind the shared anchors take of the disk: of all that there are their share.
    pub(super) fn disk(&self, shared: &SharedAnchors) -> Result<u64> {
        let grams = self.runs(self.n)?;
        let SearchEffort { anchors, shared, .. } = shared.effort;
        let behind = (u128::from(grams) * u128::from(shared) / u128::from(anchors.max(1))) as u64;
        Ok(behind * (size_of::<Gram>() + size_of::<Later>()) as u64)
    }
}

/// Pieces one behind another.
pub(super) fn join<T: bytemuck::Pod>(pieces: impl IntoIterator<Item = Partitioned<T>>) -> Partitioned<T> {
    let mut all = Partitioned::default();
    pieces.into_iter().for_each(|piece| all.append(piece));
    all
}
