//! Results of a batch, and of all batches together.

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

/// Results of the steps applied to one batch, or to one slice of a component.
#[derive(Default, Serialize, Deserialize)]
pub struct BatchResult {
    /// Place in policy order at which it ended.
    pub end: Rank,
    /// The dropped documents.
    pub dropped: List<PairRow>,
    /// Each document that is connected with others, with the first document of its component.
    pub links: List<[DocId; 2]>,
    /// The edges of a spanning forest.
    pub edges: List<PairRow>,
    /// Pairs that were scored.
    pub scored: List<PairRow>,
    /// Families whose members share a key and were compared with the first member only: that member, and the size.
    pub families: Vec<(DocId, usize)>,
    /// Pairs that were compared and failed, and the effort of all comparisons.
    pub misses: NearMisses,
    /// Pairs sampled for the certificate.
    pub drawn: Option<SampledPairs>,
}

/// Results of all batches so far.
#[derive(Default)]
pub struct RunResult<'f> {
    /// The dropped documents.
    pub dropped: Vec<DroppedDocument>,
    /// Components of the documents; `None` if the run does not connect documents.
    pub forest: Option<&'f mut Forest<DocId>>,
    /// The edges of a spanning forest.
    pub edges: List<PairRow>,
    /// Pairs that were scored.
    pub scored: List<PairRow>,
    /// Size of every family that was compared with its first member only, by that member.
    pub families: BTreeMap<DocId, usize>,
    /// Pairs that were compared and failed, and the effort of all comparisons.
    pub misses: NearMisses,
    /// Whether each document follows another; empty if no component is in slices.
    pub follows: Vec<bool>,
}

impl RunResult<'_> {
    /// Adds the results of a batch or slice. `certifier` takes the sampled pairs.
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
        // Near-copies share many keys, so families with the same first member become one entry.
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
