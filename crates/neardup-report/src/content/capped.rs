//! Keys that too many documents share.

use serde::{Deserialize, Serialize};

/// What was done with a capped key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CappedFate {
    /// It proposed no pairs.
    Drop,
    /// Its documents were compared with the first of them only, or the first kept ones.
    Star,
}

/// A key held by more documents than the cap of the scheme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CappedKey {
    /// The key as it is printed elsewhere.
    pub key: String,
    /// Documents that hold it.
    pub size: u64,
    /// What was done with it.
    pub over: CappedFate,
    /// What it says, or else the beginning of a text that holds it.
    pub sample: String,
}
