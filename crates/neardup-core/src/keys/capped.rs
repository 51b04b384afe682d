//! Capped keys.

use crate::util::ids::DocId;
use serde::{Deserialize, Serialize};

/// A key that more documents contain than its cap allows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CappedBucket {
    /// The table of the key.
    pub table: usize,
    /// The key.
    pub key: u32,
    /// Number of documents that contain the key.
    pub size: usize,
    /// Some of these documents.
    pub sample: Vec<DocId>,
}
