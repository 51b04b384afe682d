//! A phase of the run, and its cost.

use serde::{Deserialize, Serialize};

/// The amount of work of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "unit", content = "count")]
pub enum PhaseWork {
    /// Bytes read or written.
    Bytes(u64),
    /// Documents, pairs or keys.
    Items(u64),
}

/// One phase in the order of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name: a verb such as "sign".
    pub name: String,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Amount of work; the rate follows from it.
    pub work: PhaseWork,
}
