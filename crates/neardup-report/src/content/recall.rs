//! The recall of a run.

use serde::{Deserialize, Serialize};

/// The promise of a run, and the chance of its keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// The promise, or that there is none and why: a sentence without its capital and full stop.
    pub promise: String,
    /// Certificate of the run: a sentence without its capital and full stop; `None` if the promise says everything.
    pub certificate: Option<String>,
    /// Whether the certificate is an estimate, with its interval.
    pub estimated: bool,
    /// Chance that the keys find a pair; `None` for keys that do not find pairs by chance.
    pub chance: Option<Chance>,
    /// (resemblance, chance to be proposed), the resemblance ascending from 0 to 1; empty if the chance does not follow from the
    /// resemblance.
    pub curve: Vec<(f64, f64)>,
}

/// Keys that find a pair by chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chance {
    /// Requirement of the keys.
    pub keys: KeyRequirement,
    /// Chance of a pair exactly at the threshold; `None` without a threshold.
    pub at_threshold: Option<f64>,
}

/// Requirement that two documents must meet to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "name")]
pub enum KeyRequirement {
    /// `least` of `bands` bands of `rows` rows, each at least 1.
    Bands {
        /// b.
        bands: u64,
        /// r.
        rows: u64,
        /// m.
        least: u64,
    },
    /// One of `size` minima.
    Minima {
        /// s, at least 1.
        size: u64,
    },
}
