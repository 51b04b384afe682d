//! Counts of the documents of a run, by their fate.

use serde::{Deserialize, Serialize};

/// Totals of a run, in documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Documents read from the input, without rejected records.
    pub documents: u64,
    /// Documents that were kept.
    pub kept: u64,
    /// Documents dropped for equal bytes.
    pub identical: u64,
    /// Documents dropped for equal token sequences.
    pub lexical: u64,
    /// Documents dropped for equal shingle sets.
    pub shingles: u64,
    /// Documents dropped because they meet the measure.
    pub near: u64,
    /// Documents dropped as the originals of their groups.
    #[serde(default)]
    pub originals: u64,
    /// Documents kept because they have no usable text.
    pub blank: u64,
    /// Documents shorter than a shingle, which are compared as one padded shingle.
    pub short: u64,
    /// Documents whose sample is too small for reliable estimates.
    pub thin: u64,
    /// Records that could not be read and were skipped.
    pub rejected: u64,
    /// Documents of the reference, which are compared with and never dropped.
    pub reference: u64,
}

impl Counts {
    /// Returns the number of dropped documents.
    pub fn dropped(&self) -> u64 {
        self.identical + self.lexical + self.shingles + self.near + self.originals
    }
}
