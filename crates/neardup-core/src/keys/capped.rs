//! Keys above the cap.

use crate::util::ids::DocId;
use serde::{Deserialize, Serialize};

/// A key that was held by too many documents.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CappedBucket {
    /// The table of the key.
    pub table: usize,
    /// The key.
    pub key: u32,
    /// How many documents held it.
    pub size: usize,
    /// A few of them.
    pub sample: Vec<DocId>,
}
