//! A document that follows a leader.

use serde::{Deserialize, Serialize};

use crate::{Document, Evidence};

/// A member of a cluster with its evidence against the leader (left) of the cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The member.
    pub document: Document,
    /// Leader on the left, member on the right.
    pub evidence: Evidence,
}
