//! What is left of a batch when it was worked on, and of all batches together.

use crate::Result;
use crate::findings::decisions::{self, DroppedDocument};
use crate::findings::near_misses::NearMisses;
use crate::findings::pairs::PairRow;
use crate::pipeline::certifier::{Certifier, SampledPairs};
use neardup_core::util::forest::Forest;
use neardup_core::util::ids::{DocId, Rank};
use neardup_core::util::store::{List, Store};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one batch left, or one slice of a component, of the steps that it took.
#[derive(Default, Serialize, Deserialize)]
pub struct BatchResult {
    /// The place in policy order where it ended.
    pub end: Rank,
    /// The dropped documents.
    pub dropped: List<PairRow>,
    /// Each document that is connected with another, and the first of these.
    pub links: List<[DocId; 2]>,
    /// The edges of a spanning forest.
    pub edges: List<PairRow>,
    /// Pairs that were scored.
    pub scored: List<PairRow>,
    /// Families that share a key and were compared with their first only: that, and how many they are.
    pub families: Vec<(DocId, usize)>,
    /// What was compared and failed.
    pub misses: NearMisses,
    /// What the certifier saw.
    pub drawn: Option<SampledPairs>,
}

/// What all left so far.
#[derive(Default)]
pub struct RunResult<'f> {
    /// The dropped documents.
    pub dropped: Vec<DroppedDocument>,
    /// Where all that is connected is.
    pub forest: Option<&'f mut Forest<DocId>>,
    /// The edges of a spanning forest.
    pub edges: List<PairRow>,
    /// Pairs that were scored.
    pub scored: List<PairRow>,
    /// The size of every family that was compared with its first only, by that.
    pub families: BTreeMap<DocId, usize>,
    /// What was compared and failed.
    pub misses: NearMisses,
    /// Whether a document of a component in slices follows another; empty where there is none.
    pub follows: Vec<bool>,
}

impl RunResult<'_> {
    /// Adds what a batch left, or a slice; the certifier takes what it saw.
    pub fn take(&mut self, store: &Store, left: BatchResult, certifier: Option<&mut Certifier>) -> Result<()> {
        let mut dropped = decisions::load(store, &left.dropped)?;
        if !self.follows.is_empty() {
            dropped.iter().for_each(|dropped| self.follows[dropped.document.index()] = true);
        }
        if let Some(forest) = &mut self.forest {
            dropped.iter().for_each(|dropped| forest.union(dropped.document, dropped.original));
            for links in left.links.parts(store) {
                links.map_err(neardup_core::Error::from)?.into_iter().for_each(|[from, to]| forest.union(from, to));
            }
            for edges in left.edges.parts(store) {
                edges.map_err(neardup_core::Error::from)?.iter().for_each(|row| forest.union(DocId(row[0]), DocId(row[1])));
            }
        }
        self.dropped.append(&mut dropped);
        self.edges.extend(left.edges);
        self.scored.extend(left.scored);
        // Near-copies share many keys: one line for all that have the same first.
        for (first, size) in left.families {
            let largest = self.families.entry(first).or_insert(size);
            *largest = size.max(*largest);
        }
        self.misses.append(left.misses);
        if let (Some(certifier), Some(drawn)) = (certifier, left.drawn) {
            certifier.take(drawn);
        }
        Ok(())
    }
}
