//! The table of clusters that Broder et al. print for a run.

use serde::{Deserialize, Serialize};

/// Clusters of two or more documents (Broder, Glassman, Manasse, Zweig 1997, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterTable {
    /// Number of documents of the run.
    pub documents: u64,
    /// Number of clusters of two or more documents.
    pub clusters: u64,
    /// Number of clusters of identical documents only.
    pub identical_clusters: u64,
    /// Number of documents in these.
    pub identical_documents: u64,
    /// Number of clusters with at least two different documents.
    pub mixed_clusters: u64,
    /// Number of documents in these.
    pub mixed_documents: u64,
}
