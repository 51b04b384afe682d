//! Keys that too many documents share.

use serde::{Deserialize, Serialize};

/// Treatment of a capped key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CappedFate {
    /// It proposed no pairs.
    Drop,
    /// Its documents were compared with the first of them only, or the first kept ones.
    Star,
}

/// A key that more documents contain than the cap of the scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CappedKey {
    /// The key, as it is printed elsewhere.
    pub key: String,
    /// Number of documents that contain it.
    pub size: u64,
    /// Treatment of the key.
    pub over: CappedFate,
    /// Words of the key, or the beginning of a text that contains it.
    pub sample: String,
}
