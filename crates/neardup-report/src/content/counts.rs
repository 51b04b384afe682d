//! How many documents, and what became of them.

use serde::{Deserialize, Serialize};

/// Totals of a run, in documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Read from the input, rejected records not counted.
    pub documents: u64,
    /// Kept.
    pub kept: u64,
    /// Dropped: equal bytes.
    pub identical: u64,
    /// Dropped: equal token sequence.
    pub lexical: u64,
    /// Dropped: equal shingle set.
    pub shingles: u64,
    /// Dropped: the measure holds.
    pub near: u64,
    /// Kept because they have no usable text.
    pub blank: u64,
    /// Shorter than a shingle; compared as one padded shingle.
    pub short: u64,
    /// Of whose sample estimates say little, for it is too small.
    pub thin: u64,
    /// Records that could not be read and were skipped.
    pub rejected: u64,
    /// Documents of the reference, compared with and never dropped.
    pub reference: u64,
}

impl Counts {
    /// Dropped by any rule.
    pub fn dropped(&self) -> u64 {
        self.identical + self.lexical + self.shingles + self.near
    }
}
