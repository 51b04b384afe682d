//! The search over the documents of a run, and its first step: the anchors that are shared.

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
use neardup_core::repeated_passages::reference::PassageReference;
use neardup_core::repeated_passages::shared::{self, Anchor, PARTS, part};
use neardup_core::signing::segment::StoredChunk;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{Store, StoredColumn};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Returns the bytes that the anchors of a chunk take on disk when they are arranged.
pub fn arranging(segment: &StoredChunk) -> u64 {
    (segment.parts.len() * size_of::<Anchor>()) as u64
}

/// Effort of a search, in numbers that depend on the documents only.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct SearchEffort {
    /// Number of anchors that were chosen.
    pub anchors: u64,
    /// Number of anchors that share their fingerprint with another.
    pub shared: u64,
    /// Number of N-grams that were fingerprinted, because their anchor is shared.
    pub fingerprinted: u64,
}

/// The shared anchors.
#[derive(Serialize, Deserialize)]
pub struct SharedAnchors {
    /// One bit for every anchor.
    pub bits: StoredColumn<u64>,
    /// Number of anchors, and of shared ones.
    pub effort: SearchEffort,
}

/// The documents, with all that the search needs.
pub struct Finder<'a> {
    /// The documents, signed by their anchors.
    pub signed: &'a SignedCorpus,
    /// The documents of the reference.
    pub reference: PassageReference,
    /// How texts are cut into tokens.
    pub tokens: TokenForm,
    /// Number of tokens in an N-gram.
    pub n: usize,
    /// Memory budget.
    pub budget: Budget,
    /// Forecast of the disk space.
    pub forecast: &'a Forecast,
    /// Ledger of the finished stages.
    pub ledger: &'a Ledger<'a>,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

impl Finder<'_> {
    pub(super) fn store(&self) -> &Store {
        self.signed.catalogue.store()
    }

    /// Returns every segment with its first document and the number of its first anchor, and the number of all anchors.
    pub(super) fn segments(&self) -> (Vec<(DocId, &StoredChunk, u64)>, usize) {
        let mut anchors = 0;
        let numbered = self.signed.segments[0].iter().map(|(first, segment)| {
            let before = anchors;
            anchors += segment.parts.len() as u64;
            (first, segment, before)
        });
        (numbered.collect(), anchors as usize)
    }

    /// Returns the shared anchors.
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

    /// Returns the number of tokens of the input.
    pub(super) fn tokens_of_input(&self) -> Result<u64> {
        self.runs(1, |first| !self.reference.includes(first))
    }

    /// Returns the number of runs of `tokens` tokens in the segments whose first document is `of`.
    fn runs(&self, tokens: usize, of: impl Fn(DocId) -> bool) -> Result<u64> {
        let mut runs = 0;
        for (_, segment) in self.signed.segments[0].iter().filter(|(first, _)| of(*first)) {
            let lengths = self.store().all(segment.tokens).map_err(Core::from)?;
            runs += lengths.into_iter().map(|length| (length as usize + 1).saturating_sub(tokens) as u64).sum::<u64>();
        }
        Ok(runs)
    }

    /// Returns an estimate of the bytes on disk for the N-grams whose anchor is shared. Their share of all N-grams is taken to be
    /// the share of shared anchors.
    pub(super) fn disk(&self, shared: &SharedAnchors) -> Result<u64> {
        let grams = self.runs(self.n, |_| true)?;
        let SearchEffort { anchors, shared, .. } = shared.effort;
        let behind = (u128::from(grams) * u128::from(shared) / u128::from(anchors.max(1))) as u64;
        Ok(behind * (size_of::<Gram>() + size_of::<Later>()) as u64)
    }
}

/// Concatenates pieces.
pub(super) fn join<T: bytemuck::Pod>(pieces: impl IntoIterator<Item = Partitioned<T>>) -> Partitioned<T> {
    let mut all = Partitioned::default();
    pieces.into_iter().for_each(|piece| all.append(piece));
    all
}
