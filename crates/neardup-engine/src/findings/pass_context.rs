//! Turns: one pass of a scheme after another has its turn over the documents.

use crate::documents::ids::Ids;
use crate::documents::signed::SignedCorpus;
use crate::progress::Watch;
use crate::resources::budget::Budget;
use crate::resources::forecast::Forecast;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::store::Store;

/// A pass whose turn it is.
#[derive(Clone, Copy)]
pub struct PassContext<'a> {
    /// Its number, from 0.
    pub number: usize,
    /// The pass.
    pub pass: &'a CompiledPass,
    /// The documents, signed for it.
    pub signed: &'a SignedCorpus,
    /// How they are called.
    pub ids: &'a Ids,
    /// Policy order; None is input order.
    pub positions: Option<&'a [Rank]>,
    /// The memory there is.
    pub budget: Budget,
    /// What the run takes of the disk.
    pub forecast: &'a Forecast,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

impl<'a> PassContext<'a> {
    /// What signing left for this pass.
    pub fn segments(&self) -> &'a Segments {
        &self.signed.segments[self.number]
    }

    /// Where columns are kept.
    pub fn store(&self) -> &'a Store {
        self.segments().store()
    }

    /// The place of a document in policy order.
    pub fn position(&self, document: DocId) -> Rank {
        self.positions.map_or(Rank(document.0), |positions| positions[document.index()])
    }
}
