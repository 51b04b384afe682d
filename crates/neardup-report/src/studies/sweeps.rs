//! The life of pages over several sweeps, as plain data: the statistics of a store.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `neardup sweep stats` counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweeps {
    /// The version of neardup.
    pub neardup: String,
    /// The canonical scheme line of the store.
    pub scheme: String,
    /// The dates of the sweeps, in order of time.
    pub dates: Vec<String>,
    /// The same in Unix seconds.
    pub times: Vec<i64>,
    /// Pages of each sweep.
    pub pages: Vec<u64>,
    /// Distinct texts of all sweeps.
    pub texts: u64,
    /// What became of pages from each sweep to the next.
    pub intervals: Vec<SweepInterval>,
    /// The pages first seen in each sweep.
    pub cohorts: Vec<Cohort>,
    /// Pages, each followed through its moves.
    pub lives: u64,
    /// Those that are gone by the last sweep.
    pub ended: u64,
    /// Days from the first sweep with a page to the last, the median of those born after the first sweep and gone.
    pub lifetime: Option<f64>,
    /// How often a page changed its text, and how many pages did so.
    pub changes: BTreeMap<u64, u64>,
}

/// From one sweep to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepInterval {
    /// The earlier date.
    pub start: String,
    /// The later date.
    pub end: String,
    /// Days between both.
    pub days: f64,
    /// Pages of the later sweep.
    pub pages: u64,
    /// What became of pages.
    pub kinds: Kinds,
    /// Moves inside one server.
    pub within: u64,
    /// Moves from one server to another.
    pub between: u64,
    /// Changed texts by tenths of their resemblance to the text before; the last bin holds those with equal features.
    pub amount: Vec<u64>,
    /// The median of these resemblances.
    pub resemblance: Option<f64>,
}

/// Pages by what became of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kinds {
    /// The same URL and text.
    pub same: u64,
    /// The same URL with another text.
    pub changed: u64,
    /// Another URL with the same text.
    pub moved: u64,
    /// Another URL with a near text.
    #[serde(rename = "moved+changed")]
    pub moved_changed: u64,
    /// First seen.
    pub new: u64,
    /// No longer seen.
    pub gone: u64,
}

/// Pages first seen in one sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cohort {
    /// Its date.
    pub date: String,
    /// How many of them are left, in it and in every later sweep.
    pub alive: Vec<u64>,
}
