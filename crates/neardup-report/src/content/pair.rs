//! Two documents that were compared.

use serde::{Deserialize, Serialize};

use crate::{Evidence, ShownDocument};

/// A compared pair of documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownPair {
    /// The first in policy order.
    pub left: ShownDocument,
    /// The other.
    pub right: ShownDocument,
    /// Evidence from the comparison.
    pub evidence: Evidence,
}
