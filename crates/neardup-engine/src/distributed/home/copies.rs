//! Equal texts of a home: the first in policy order represents the others, which are not sent. So a text that a corpus repeats a million
//! times is no more documents elsewhere than there are homes.

use crate::Result;
use crate::distributed::home::{Home, PolicyOrder};
use neardup_core::util::ids::DocId;
use std::collections::{HashMap, HashSet};

/// The documents of a home whose text another one of the home has.
#[derive(Debug, Default)]
pub struct HomeCopies {
    /// The further copies of each document that has some.
    copies: HashMap<u32, Vec<u32>>,
    /// Ascending.
    all: Vec<u32>,
}

impl HomeCopies {
    /// Finds the copies, except those `aside`. Texts that are stored in two ways count as different here.
    pub fn of(home: &Home, order: Option<&PolicyOrder>, aside: &HashSet<u32>) -> Result<Self> {
        let raw = home.signed.segments[0].column(|segment| segment.raw)?;
        let documents = home.documents().filter(|document| !aside.contains(&document.0));
        let mut documents: Vec<(u128, DocId)> = documents.map(|document| (raw[document.index()], document)).collect();
        documents.sort_unstable();
        let mut found = HomeCopies::default();
        for equal in documents.chunk_by_mut(|one, other| one.0 == other.0).filter(|equal| equal.len() > 1) {
            equal.sort_by_cached_key(|(_, document)| (order.map(|order| order.bytes(home, *document)), *document));
            let copies: Vec<u32> = equal[1..].iter().map(|(_, document)| document.0).collect();
            found.all.extend(&copies);
            found.copies.insert(equal[0].1.0, copies);
        }
        found.all.sort_unstable();
        Ok(found)
    }

    /// Returns the further copies that a document represents.
    pub fn represented(&self, place: u32) -> &[u32] {
        self.copies.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether another document represents this one.
    pub fn has(&self, place: u32) -> bool {
        self.all.binary_search(&place).is_ok()
    }

    /// Returns all documents that others represent, ascending.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        self.all.iter().copied()
    }
}
