//! Leader groups: the dropped documents by the one that is kept for them.

use crate::findings::decisions::{DroppedDocument, DroppedDocuments};
use neardup_core::util::ids::DocId;
use rayon::prelude::*;
use std::collections::BinaryHeap;

/// The leader groups of a run, by leader: eight bytes for every dropped document.
pub struct LeaderGroups<'a> {
    /// Which document is dropped for which.
    pub verdicts: &'a DroppedDocuments,
    /// Leader and place among the dropped, ascending.
    places: Vec<(DocId, u32)>,
}

/// A leader and the documents dropped for it, which are one or more.
#[derive(Clone, Copy)]
pub struct LeaderGroup<'a> {
    verdicts: &'a DroppedDocuments,
    /// Their leader and place among the dropped, ascending.
    places: &'a [(DocId, u32)],
}

impl<'a> LeaderGroups<'a> {
    /// Sorts the verdicts by leader.
    pub fn new(verdicts: &'a DroppedDocuments) -> Self {
        let mut places: Vec<(DocId, u32)> =
            verdicts.dropped.par_iter().map(|dropped| verdicts.leader_of(dropped)).zip(0..verdicts.dropped.len() as u32).collect();
        places.par_sort_unstable();
        LeaderGroups { verdicts, places }
    }

    /// Every group, for several threads.
    pub fn par_iter(&self) -> impl ParallelIterator<Item = LeaderGroup<'_>> {
        let verdicts = self.verdicts;
        let groups = self.places.par_chunk_by(|left, right| left.0 == right.0);
        groups.map(move |places| LeaderGroup { verdicts, places })
    }

    /// The first `count` groups by `key`, ties by leader; those without a key are left out.
    pub fn first<K: Ord + Send>(&self, count: usize, key: impl Fn(LeaderGroup<'_>) -> Option<K> + Sync) -> Vec<LeaderGroup<'_>> {
        let push = |mut first: BinaryHeap<_>, entry| {
            first.push(entry);
            if first.len() > count {
                first.pop();
            }
            first
        };
        let keyed = self.par_iter().filter_map(|group| Some((key(group)?, group.leader(), group.places)));
        let firsts = keyed.fold(BinaryHeap::new, push);
        let first = firsts.reduce(BinaryHeap::new, |first, more| more.into_iter().fold(first, push));
        let verdicts = self.verdicts;
        first.into_sorted_vec().into_iter().map(|(_, _, places)| LeaderGroup { verdicts, places }).collect()
    }
}

impl<'a> LeaderGroup<'a> {
    /// The document the others are dropped for.
    pub fn leader(self) -> DocId {
        self.places[0].0
    }

    /// The verdicts it is one of.
    pub fn verdicts(self) -> &'a DroppedDocuments {
        self.verdicts
    }

    /// How many documents, the leader included.
    pub fn size(self) -> u64 {
        self.places.len() as u64 + 1
    }

    /// The dropped ones, ascending.
    pub fn followers(self) -> impl Iterator<Item = &'a DroppedDocument> {
        self.places.iter().map(move |&(_, place)| &self.verdicts.dropped[place as usize])
    }
}
