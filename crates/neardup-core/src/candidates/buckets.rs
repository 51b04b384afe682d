//! Buckets: the documents that contain one key.

use crate::Result;
use crate::util::ids::DocId;
use crate::util::store::{Store, StoredColumn};
use serde::{Deserialize, Serialize};

/// Buckets of two or more documents. A document is in one bucket per key that it shares.
#[derive(Debug, Default)]
pub struct Buckets {
    documents: Vec<DocId>,
    ends: Vec<usize>,
    /// For each run of buckets of one kind of keys, the number of buckets up to its end, and the number of the kind.
    /// Buckets after the last run are of kind 0.
    kinds: Vec<(usize, usize)>,
    /// The same for tables. A table is numbered within its kind.
    tables: Vec<(usize, usize)>,
    /// True number of documents of every bucket. Empty if all documents of every bucket are present.
    sizes: Vec<u32>,
}

/// Buckets of one kind of keys in the store.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct StoredBuckets {
    /// Number of the kind.
    pub kind: usize,
    /// Number of documents in the largest bucket.
    pub largest: usize,
    /// Number of the table within its kind.
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
    /// Appends a bucket.
    pub fn push(&mut self, documents: impl IntoIterator<Item = DocId>) {
        self.documents.extend(documents);
        self.ends.push(self.documents.len());
    }

    /// Appends the documents that are present of a bucket of `size` documents. Either all buckets are added this way or
    /// none.
    pub fn push_some(&mut self, documents: &[DocId], size: usize) {
        self.push(documents.iter().copied());
        self.sizes.push(size as u32);
    }

    /// Sets the kind and table of all buckets added since the last call.
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

    /// Reads buckets from the store.
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

    /// Joins several lists of buckets, without their kinds and tables.
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

    /// Returns the end of every bucket in [`Buckets::documents()`], which is the start of the next one.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Returns the number of buckets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no bucket.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the documents of every bucket.
    pub fn iter(&self) -> impl Iterator<Item = &[DocId]> {
        (0..self.ends.len()).map(|number| self.get(number))
    }

    /// Returns the documents of one bucket.
    #[inline]
    pub fn get(&self, number: usize) -> &[DocId] {
        &self.documents[if number == 0 { 0 } else { self.ends[number - 1] }..self.ends[number]]
    }

    /// For each run of buckets of one kind of keys, returns the number of buckets up to its end, and the number of the
    /// kind.
    pub fn kinds(&self) -> &[(usize, usize)] {
        &self.kinds
    }

    /// Returns the same for tables, which are numbered within their kind.
    pub fn tables(&self) -> &[(usize, usize)] {
        &self.tables
    }

    /// Returns the true number of documents of every bucket. Empty if all documents of every bucket are present.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Returns the documents of all buckets, bucket by bucket.
    pub fn documents(&self) -> &[DocId] {
        &self.documents
    }
}

/// Extends the last run of `number` to `end`, or begins a new run.
fn extend(runs: &mut Vec<(usize, usize)>, end: usize, number: usize) {
    match runs.last_mut() {
        Some((last, same)) if *same == number => *last = end,
        _ => runs.push((end, number)),
    }
}
