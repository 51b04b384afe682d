//! Clusters at one threshold.

use serde::{Deserialize, Serialize};

/// What clusters there are at one threshold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThresholdStep {
    /// The threshold, as it is written.
    pub threshold: String,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Documents in them.
    pub clustered: u64,
    /// Documents in the largest.
    pub largest: u64,
    /// Clusters by size: of 2 documents, of 3 and 4, of 5 to 8, and so on.
    pub sizes: Vec<u64>,
}
