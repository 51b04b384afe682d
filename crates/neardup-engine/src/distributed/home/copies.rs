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
    all: HashSet<u32>,
}

impl HomeCopies {
    /// Finds the copies, except those `aside`. Texts that are stored in two ways count as different here.
    pub fn of(home: &Home, order: Option<&PolicyOrder>, aside: &HashSet<u32>) -> Result<Self> {
        let raw = home.signed.segments[0].column(|segment| segment.raw)?;
        let mut equal: HashMap<u128, Vec<DocId>> = HashMap::with_capacity(raw.len());
        for document in home.documents().filter(|document| !aside.contains(&document.0)) {
            equal.entry(raw[document.index()]).or_default().push(document);
        }
        let mut found = HomeCopies::default();
        for mut documents in equal.into_values().filter(|documents| documents.len() > 1) {
            documents.sort_by_cached_key(|document| (order.map(|order| order.bytes(home, *document)), *document));
            let copies: Vec<u32> = documents[1..].iter().map(|document| document.0).collect();
            found.all.extend(&copies);
            found.copies.insert(documents[0].0, copies);
        }
        Ok(found)
    }

    /// Returns the further copies that a document represents.
    pub fn represented(&self, place: u32) -> &[u32] {
        self.copies.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether another document represents this one.
    pub fn has(&self, place: u32) -> bool {
        self.all.contains(&place)
    }

    /// Returns all documents that others represent.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        self.all.iter().copied()
    }
}
