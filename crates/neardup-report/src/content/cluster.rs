//! A leader and the documents that follow it.

use serde::{Deserialize, Serialize};

use crate::{ClusterMember, ShownDocument};

/// A cluster to be shown, with some or all of its members.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// The document that is kept for all.
    pub leader: ShownDocument,
    /// Number of documents in the whole cluster, including the leader.
    pub size: u64,
    /// Members that may be shown; a sample if they are fewer than `size - 1`.
    pub members: Vec<ClusterMember>,
}
