//! A document that follows a leader.

use serde::{Deserialize, Serialize};

use crate::{Evidence, ShownDocument};

/// A member of a cluster, with its evidence against the leader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClusterMember {
    /// The member.
    pub document: ShownDocument,
    /// Evidence, with the leader on the left and the member on the right.
    pub evidence: Evidence,
}
