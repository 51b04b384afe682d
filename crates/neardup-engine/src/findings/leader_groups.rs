//! Leader groups: every leader with the documents that were dropped for it.

use crate::findings::decisions::{DroppedDocument, DroppedDocuments};
use neardup_core::util::ids::DocId;
use rayon::prelude::*;
use std::collections::BinaryHeap;

/// The leader groups of a run, sorted by leader. They take eight bytes for every dropped document.
pub struct LeaderGroups<'a> {
    /// The verdicts that the groups are made from.
    pub verdicts: &'a DroppedDocuments,
    /// Leader and index among the dropped documents, ascending.
    places: Vec<(DocId, u32)>,
}

/// A leader and the documents dropped for it, of which there is at least one.
#[derive(Clone, Copy)]
pub struct LeaderGroup<'a> {
    verdicts: &'a DroppedDocuments,
    /// Leader and index among the dropped documents, ascending.
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

    /// Returns every group, as a parallel iterator.
    pub fn par_iter(&self) -> impl ParallelIterator<Item = LeaderGroup<'_>> {
        let verdicts = self.verdicts;
        let groups = self.places.par_chunk_by(|left, right| left.0 == right.0);
        groups.map(move |places| LeaderGroup { verdicts, places })
    }

    /// Returns the first `count` groups by `key`, ties by leader. Groups without a key are left out.
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
    /// Returns the document that the others are dropped for.
    pub fn leader(self) -> DocId {
        self.places[0].0
    }

    /// Returns the verdicts that the group is part of.
    pub fn verdicts(self) -> &'a DroppedDocuments {
        self.verdicts
    }

    /// Returns the number of documents, the leader included.
    pub fn size(self) -> u64 {
        self.places.len() as u64 + 1
    }

    /// Returns the dropped documents, ascending.
    pub fn followers(self) -> impl Iterator<Item = &'a DroppedDocument> {
        self.places.iter().map(move |&(_, place)| &self.verdicts.dropped[place as usize])
    }
}
