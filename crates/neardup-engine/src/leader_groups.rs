//! Leader groups: the dropped documents by the one they are dropped for.

use crate::verdicts::{Dropped, Verdicts};
use std::collections::BinaryHeap;

/// The leader groups of a run, by original: four bytes for every dropped document.
pub struct LeaderGroups<'a> {
    /// All dropped documents, ascending.
    pub dropped: &'a [Dropped],
    places: Vec<u32>,
}

/// A leader and the documents dropped for it, which are one or more.
#[derive(Clone, Copy)]
pub struct LeaderGroup<'a> {
    dropped: &'a [Dropped],
    /// Their places among the dropped, ascending.
    places: &'a [u32],
}

impl<'a> LeaderGroups<'a> {
    /// Sorts the verdicts by original.
    pub fn new(verdicts: &'a Verdicts) -> Self {
        let dropped = &verdicts.dropped[..];
        let mut places: Vec<u32> = (0..dropped.len() as u32).collect();
        places.sort_unstable_by_key(|&place| (dropped[place as usize].original, place));
        LeaderGroups { dropped, places }
    }

    /// Every group.
    pub fn iter(&self) -> impl Iterator<Item = LeaderGroup<'_>> {
        let original = |place: u32| self.dropped[place as usize].original;
        let groups = self.places.chunk_by(move |&left, &right| original(left) == original(right));
        groups.map(|places| LeaderGroup { dropped: self.dropped, places })
    }

    /// The first `count` groups by `key`, ties by leader; those without a key are left out.
    pub fn first<K: Ord>(&self, count: usize, key: impl Fn(LeaderGroup<'_>) -> Option<K>) -> Vec<LeaderGroup<'_>> {
        let mut first = BinaryHeap::new();
        for group in self.iter() {
            let Some(key) = key(group) else { continue };
            first.push((key, group.leader(), group.places));
            if first.len() > count {
                first.pop();
            }
        }
        first.into_sorted_vec().into_iter().map(|(_, _, places)| LeaderGroup { dropped: self.dropped, places }).collect()
    }
}

impl<'a> LeaderGroup<'a> {
    /// The document the others are dropped for.
    pub fn leader(self) -> u32 {
        self.dropped[self.places[0] as usize].original
    }

    /// How many documents, the leader included.
    pub fn size(self) -> u64 {
        self.places.len() as u64 + 1
    }

    /// The dropped ones, ascending.
    pub fn followers(self) -> impl Iterator<Item = &'a Dropped> {
        self.places.iter().map(move |&place| &self.dropped[place as usize])
    }
}
