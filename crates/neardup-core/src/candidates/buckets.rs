//! Buckets: the documents that hold one key.

use crate::Result;
use crate::util::ids::DocId;
use crate::util::store::{Store, StoredColumn};
use serde::{Deserialize, Serialize};

/// Buckets of two or more documents; a document is in as many as it shares keys.
#[derive(Debug, Default)]
pub struct Buckets {
    documents: Vec<DocId>,
    ends: Vec<usize>,
    /// How many buckets end those of a kind of keys, and the number of that kind; beyond, and where nothing is said, 0.
    kinds: Vec<(usize, usize)>,
    /// The same for tables: how many buckets end those of a table, and its number among those of its kind.
    tables: Vec<(usize, usize)>,
    /// How many documents every bucket has in truth; empty where all of them are here.
    sizes: Vec<u32>,
}

/// Buckets of one kind of keys in the store.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StoredBuckets {
    /// The number of the kind.
    pub kind: usize,
    /// How many documents the largest bucket holds.
    pub largest: usize,
    /// The number of the table among those of the kind.
    pub table: usize,
    documents: StoredColumn<DocId>,
    lengths: StoredColumn<u32>,
}

impl StoredBuckets {
    /// See [`Store::let_go`].
    pub fn let_go(&self, store: &Store) {
        store.let_go(self.documents);
        store.let_go(self.lengths);
    }
}

impl Buckets {
    /// Adds a bucket.
    pub fn push(&mut self, documents: impl IntoIterator<Item = DocId>) {
        self.documents.extend(documents);
        self.ends.push(self.documents.len());
    }

    /// Adds what is here of a bucket of `size` documents; all that are added are such.
    pub fn push_some(&mut self, documents: &[DocId], size: usize) {
        self.push(documents.iter().copied());
        self.sizes.push(size as u32);
    }

    /// Says of which kind and table those are that were added since it was said last.
    pub fn are_of(&mut self, kind: usize, table: usize) {
        let end = self.ends.len();
        extend(&mut self.kinds, end, kind);
        extend(&mut self.tables, end, table);
    }

    /// Writes the buckets to the store, as those of one table of one kind of keys.
    pub fn store(&self, store: &Store, kind: usize, table: usize) -> Result<StoredBuckets> {
        let lengths: Vec<u32> = self.iter().map(|bucket| bucket.len() as u32).collect();
        let largest = lengths.iter().max().map_or(0, |&length| length as usize);
        Ok(StoredBuckets { kind, table, largest, documents: store.append(&self.documents)?, lengths: store.append(&lengths)? })
    }

    /// Reads buckets back from the store.
    pub fn load<'s>(store: &Store, stored: impl IntoIterator<Item = &'s StoredBuckets>) -> Result<Self> {
        let stored: Vec<StoredBuckets> = stored.into_iter().copied().collect();
        let documents = store.joined(stored.iter().map(|stored| stored.documents))?;
        let mut end = 0;
        let end_of = |length: u32| {
            end += length as usize;
            end
        };
        let ends = store.joined(stored.iter().map(|stored| stored.lengths))?.into_iter().map(end_of).collect();
        let mut buckets = Buckets { documents, ends, ..Buckets::default() };
        let mut count = 0;
        for stored in stored {
            count += stored.lengths.len();
            extend(&mut buckets.kinds, count, stored.kind);
            extend(&mut buckets.tables, count, stored.table);
        }
        Ok(buckets)
    }

    /// Those of several, one after another, without their kinds and tables.
    pub fn joined<'b>(all: impl Iterator<Item = &'b Buckets> + Clone) -> Self {
        let mut joined = Buckets::default();
        joined.documents.reserve_exact(all.clone().map(|one| one.documents.len()).sum());
        joined.ends.reserve_exact(all.clone().map(Buckets::len).sum());
        for one in all {
            let base = joined.documents.len();
            joined.documents.extend_from_slice(&one.documents);
            joined.ends.extend(one.ends.iter().map(|end| base + end));
        }
        joined
    }

    /// Where every bucket ends in the documents of all, and the next one begins.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// How many buckets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The documents of every bucket.
    pub fn iter(&self) -> impl Iterator<Item = &[DocId]> {
        (0..self.ends.len()).map(|number| self.get(number))
    }

    /// The documents of one bucket.
    #[inline]
    pub fn get(&self, number: usize) -> &[DocId] {
        &self.documents[if number == 0 { 0 } else { self.ends[number - 1] }..self.ends[number]]
    }

    /// How many buckets there are up to the end of those of a kind of keys, and the number of that kind, one after another.
    pub fn kinds(&self) -> &[(usize, usize)] {
        &self.kinds
    }

    /// The same for tables, counted among those of their kind.
    pub fn tables(&self) -> &[(usize, usize)] {
        &self.tables
    }

    /// How many documents every bucket has in truth; empty where all of them are here.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The documents of all buckets, one bucket after another.
    pub fn documents(&self) -> &[DocId] {
        &self.documents
    }
}

/// Lets the last run of `number` continue to `end`, or begins one.
fn extend(runs: &mut Vec<(usize, usize)>, end: usize, number: usize) {
    match runs.last_mut() {
        Some((last, same)) if *same == number => *last = end,
        _ => runs.push((end, number)),
    }
}
