//! The table of clusters that Broder et al. print for a run.

use serde::{Deserialize, Serialize};

/// Clusters of two or more documents (Broder, Glassman, Manasse, Zweig 1997, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterTable {
    /// Documents of the run.
    pub documents: u64,
    /// Clusters of two or more.
    pub clusters: u64,
    /// Clusters of identical documents only.
    pub identical_clusters: u64,
    /// Documents in them.
    pub identical_documents: u64,
    /// Clusters with at least two different documents.
    pub mixed_clusters: u64,
    /// Documents in them.
    pub mixed_documents: u64,
}
