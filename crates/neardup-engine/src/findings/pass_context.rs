//! The context of a pass. The passes of a scheme work on the documents one after another.

use crate::documents::ids::Ids;
use crate::documents::signed::SignedCorpus;
use crate::progress::Watch;
use crate::resources::budget::Budget;
use crate::resources::forecast::Forecast;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::signing::segments::Segments;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::store::Store;

/// The pass at work, and what it works with.
#[derive(Clone, Copy)]
pub struct PassContext<'a> {
    /// Number of the pass, from 0.
    pub number: usize,
    /// The pass.
    pub pass: &'a CompiledPass,
    /// The documents, signed for it.
    pub signed: &'a SignedCorpus,
    /// Ids of the documents.
    pub ids: &'a Ids,
    /// Place of every document in policy order; `None` if that is input order.
    pub positions: Option<&'a [Rank]>,
    /// The available memory.
    pub budget: Budget,
    /// Forecast of the disk space that the run takes.
    pub forecast: &'a Forecast,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

impl<'a> PassContext<'a> {
    /// Returns the results of signing for this pass.
    pub fn segments(&self) -> &'a Segments {
        &self.signed.segments[self.number]
    }

    /// Returns the store of the columns.
    pub fn store(&self) -> &'a Store {
        self.segments().store()
    }

    /// Returns the place of a document in policy order.
    pub fn position(&self, document: DocId) -> Rank {
        self.positions.map_or(Rank(document.0), |positions| positions[document.index()])
    }
}
