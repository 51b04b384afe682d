//! The findings of a verb, in the store: results and reports are made from them.

use crate::Result;
use crate::documents::signed::SignedCorpus;
use crate::findings::clusters::{self, Clusters};
use crate::findings::decisions::{self, DroppedDocument, DroppedDocuments};
use crate::findings::near_misses::NearMisses;
use crate::findings::pairs::{PairFamily, PairRow};
use crate::findings::passages;
use neardup_core::certificate::Certificate;
use neardup_core::keys::capped::CappedBucket;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, Store};
use serde::{Deserialize, Serialize};

/// The findings of a run, over all its passes.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Dropped documents, ascending.
    dropped: List<PairRow>,
    components: Option<clusters::StoredClusters>,
    /// Pairs, if they are listed, expanded and in order.
    pub pairs: List<PairRow>,
    /// The maximum spanning forest of the pairs, if there is one, in the order of pairs.
    pub forest: Option<List<PairRow>>,
    /// Passages of the pairs, if they were asked for.
    pub passages: Option<List<passages::PassageRow>>,
    /// Families of exact copies that are written as stars, not as all their pairs.
    pub stars: Vec<PairFamily>,
    /// Families that share a key and were compared with their first only.
    pub starred_keys: Vec<PairFamily>,
    /// Pairs that were compared in full and failed.
    pub near_misses: NearMisses,
    /// Estimated recall of the run, as far as it is known.
    pub certificate: Option<Certificate>,
    /// Keys above the cap, pass by pass.
    pub capped: Vec<Vec<CappedBucket>>,
}

impl Findings {
    /// Adds the documents that one more pass drops.
    pub fn drop(&mut self, store: &Store, mut dropped: Vec<DroppedDocument>) -> Result<()> {
        dropped.append(&mut decisions::load(store, &self.dropped)?);
        dropped.sort_unstable_by_key(|dropped| dropped.document);
        self.dropped = decisions::store(&dropped, store)?;
        Ok(())
    }

    /// Replaces the components by those of `clusters`.
    pub fn connect(&mut self, store: &Store, clusters: &Clusters) -> Result<()> {
        self.components = Some(clusters.store(store)?);
        Ok(())
    }

    /// Returns for every document whether it takes part in a later pass: documents of the reference, and those kept so far, do.
    pub fn seen(&self, signed: &SignedCorpus) -> Result<Vec<bool>> {
        let mut seen: Vec<bool> = DocId::first(signed.len()).map(|document| !signed.is_set_aside(document)).collect();
        let dropped = decisions::load(signed.catalogue.store(), &self.dropped)?;
        dropped.iter().for_each(|dropped| seen[dropped.document.index()] = false);
        Ok(seen)
    }

    /// Returns the verdicts on `documents` documents.
    pub fn verdicts(&self, store: &Store, documents: usize) -> Result<DroppedDocuments> {
        Ok(DroppedDocuments::new(decisions::load(store, &self.dropped)?, documents))
    }

    /// Returns the components, if there are any.
    pub fn clusters(&self, store: &Store) -> Result<Option<Clusters>> {
        Ok(self.components.map(|components| Clusters::load(store, components)).transpose()?)
    }
}
