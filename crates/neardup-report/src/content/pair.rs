//! Two documents that were compared.

use serde::{Deserialize, Serialize};

use crate::{Document, Evidence};

/// A compared pair of documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The first in policy order.
    pub left: Document,
    /// The other.
    pub right: Document,
    /// What the check found.
    pub evidence: Evidence,
}
