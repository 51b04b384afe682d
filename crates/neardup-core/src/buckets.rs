//! Buckets: the documents that hold one key.

use serde::Serialize;

/// Buckets of two or more documents; a document stands in as many as it shares keys.
#[derive(Debug, Default)]
pub struct Buckets {
    documents: Vec<u32>,
    ends: Vec<usize>,
    /// Keys held by more documents than the cap.
    pub capped: Vec<Capped>,
}

/// A key that was held by too many documents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Capped {
    /// The table of the key.
    pub table: usize,
    /// The key.
    pub key: u32,
    /// How many documents held it.
    pub size: usize,
    /// A few of them.
    pub sample: Vec<u32>,
}

impl Buckets {
    /// Adds a bucket.
    pub fn push(&mut self, documents: impl IntoIterator<Item = u32>) {
        self.documents.extend(documents);
        self.ends.push(self.documents.len());
    }

    /// Adds all buckets of `other`.
    pub fn append(&mut self, mut other: Buckets) {
        let base = self.documents.len();
        self.documents.append(&mut other.documents);
        self.ends.extend(other.ends.into_iter().map(|end| base + end));
        self.capped.append(&mut other.capped);
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
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|index| &self.documents[if index == 0 { 0 } else { self.ends[index - 1] }..self.ends[index]])
    }

    /// The documents of all buckets, one bucket after another.
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }
}
