//! What a verb found, left in the store: what is written and shown is read from there.

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

/// The findings of a run, by one pass after another.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Ascending by document.
    dropped: List<PairRow>,
    components: Option<clusters::StoredClusters>,
    /// Pairs, when they are listed, expanded and in order.
    pub pairs: List<PairRow>,
    /// The maximum spanning forest of the pairs, when there is one, in the order of pairs.
    pub forest: Option<List<PairRow>>,
    /// Passages of the pairs, when they were asked for.
    pub passages: Option<List<passages::PassageRow>>,
    /// Families of exact copies that are not written as all their pairs.
    pub stars: Vec<PairFamily>,
    /// Families that share a key and were not compared in all their pairs, by their first.
    pub starred_keys: Vec<PairFamily>,
    /// What was compared in full and failed.
    pub near_misses: NearMisses,
    /// How many pairs were found of all there are, as far as it is known.
    pub certificate: Option<Certificate>,
    /// Keys above the cap, pass by pass.
    pub capped: Vec<Vec<CappedBucket>>,
}

impl Findings {
    /// Adds what one more pass drops.
    pub fn drop(&mut self, store: &Store, mut dropped: Vec<DroppedDocument>) -> Result<()> {
        dropped.append(&mut decisions::load(store, &self.dropped)?);
        dropped.sort_unstable_by_key(|dropped| dropped.document);
        self.dropped = decisions::store(&dropped, store)?;
        Ok(())
    }

    /// Puts components in the place of those before.
    pub fn connect(&mut self, store: &Store, clusters: &Clusters) -> Result<()> {
        self.components = Some(clusters.store(store)?);
        Ok(())
    }

    /// Whether every document takes part in a later pass: those of the reference, and what is kept so far.
    pub fn seen(&self, signed: &SignedCorpus) -> Result<Vec<bool>> {
        let mut seen: Vec<bool> = DocId::first(signed.len()).map(|document| !signed.is_set_aside(document)).collect();
        let dropped = decisions::load(signed.catalogue.store(), &self.dropped)?;
        dropped.iter().for_each(|dropped| seen[dropped.document.index()] = false);
        Ok(seen)
    }

    /// The verdicts on `documents`.
    pub fn verdicts(&self, store: &Store, documents: usize) -> Result<DroppedDocuments> {
        Ok(DroppedDocuments::new(decisions::load(store, &self.dropped)?, documents))
    }

    /// The components, if there are any.
    pub fn clusters(&self, store: &Store) -> Result<Option<Clusters>> {
        Ok(self.components.map(|components| Clusters::load(store, components)).transpose()?)
    }
}
