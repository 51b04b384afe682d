//! What a verb found, left in the store: what is written and shown is read from there.

use crate::Result;
use crate::clusters::{self, Clusters};
use crate::pairs::{Row, Star};
use crate::passages;
use crate::pipeline::NearMisses;
use crate::verdicts::Verdicts;
use neardup_core::buckets::Capped;
use neardup_core::store::{List, Store};
use serde::{Deserialize, Serialize};

/// The findings of a run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Found {
    dropped: Option<List<Row>>,
    components: Option<clusters::Stored>,
    /// Pairs, when they are listed, expanded and in order.
    pub pairs: List<Row>,
    /// Passages of the pairs, when they were asked for.
    pub passages: Option<List<passages::Row>>,
    /// Families of exact copies that are not written as all their pairs.
    pub stars: Vec<Star>,
    /// Families that share a key and were not compared in all their pairs, by their first.
    pub starred_keys: Vec<Star>,
    /// What was compared in full and failed.
    pub near_misses: NearMisses,
    /// Keys above the cap.
    pub capped: Vec<Capped>,
}

impl Found {
    /// Findings of a verb that decides.
    pub fn decided(store: &Store, verdicts: &Verdicts, clusters: Option<&Clusters>, near_misses: NearMisses) -> Result<Self> {
        let components = clusters.map(|clusters| clusters.store(store)).transpose()?;
        Ok(Found { dropped: Some(verdicts.store(store)?), components, near_misses, ..Found::default() })
    }

    /// The verdicts on `documents`, if there are any.
    pub fn verdicts(&self, store: &Store, documents: usize) -> Result<Option<Verdicts>> {
        self.dropped.as_ref().map(|rows| Verdicts::load(store, rows, documents)).transpose()
    }

    /// The components, if there are any.
    pub fn clusters(&self, store: &Store) -> Result<Option<Clusters>> {
        Ok(self.components.map(|components| Clusters::load(store, components)).transpose()?)
    }
}
