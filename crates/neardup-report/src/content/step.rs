//! Clusters at one threshold.

use serde::{Deserialize, Serialize};

/// Counts of the clusters at one threshold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThresholdStep {
    /// The threshold, as it is written.
    pub threshold: String,
    /// Number of clusters of two or more documents.
    pub clusters: u64,
    /// Number of documents in these clusters.
    pub clustered: u64,
    /// Number of documents in the largest cluster.
    pub largest: u64,
    /// Number of clusters by size: of 2 documents, of 3 and 4, of 5 to 8, and so on.
    pub sizes: Vec<u64>,
}
