//! What a run finds of the pairs it is asked for.

use serde::{Deserialize, Serialize};

/// What a run promises to find, and the chance of its keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// The promise, or that there is none and why: a sentence without its capital and full stop.
    pub promise: String,
    /// What the run has found, a sentence without its capital and full stop; None where the promise says all.
    pub certificate: Option<String>,
    /// Whether that is an estimate, with its interval.
    pub estimated: bool,
    /// How the keys find a pair by chance; None for those that do not.
    pub chance: Option<Chance>,
    /// (resemblance, chance to be proposed), the resemblance ascending from 0 to 1; empty when the chance does not follow from
    /// the resemblance.
    pub curve: Vec<(f64, f64)>,
}

/// Keys that find a pair by chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chance {
    /// Which keys.
    pub keys: KeyRequirement,
    /// The chance of a pair exactly at the threshold; None without one.
    pub at_threshold: Option<f64>,
}

/// What two documents must have in common to be compared.
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
