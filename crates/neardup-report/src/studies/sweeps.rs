//! The life of pages over several sweeps, as plain data: the statistics of a store.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of `neardup sweep stats`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweeps {
    /// Version of neardup.
    pub neardup: String,
    /// The canonical scheme line of the store.
    pub scheme: String,
    /// The dates of the sweeps, in order of time.
    pub dates: Vec<String>,
    /// The same in Unix seconds.
    pub times: Vec<i64>,
    /// Number of pages of each sweep.
    pub pages: Vec<u64>,
    /// Number of distinct texts of all sweeps.
    pub texts: u64,
    /// Fate of the pages from each sweep to the next.
    pub intervals: Vec<SweepInterval>,
    /// The pages first seen in each sweep.
    pub cohorts: Vec<Cohort>,
    /// Number of pages, each followed through its moves.
    pub lives: u64,
    /// Number of these pages that are gone by the last sweep.
    pub ended: u64,
    /// Median of the days from the first sweep with a page to the last, over the pages that were born after the first sweep and
    /// are gone.
    pub lifetime: Option<f64>,
    /// Number of pages by how often a page changed its text.
    pub changes: BTreeMap<u64, u64>,
}

/// The interval from one sweep to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepInterval {
    /// The earlier date.
    pub start: String,
    /// The later date.
    pub end: String,
    /// Number of days between both.
    pub days: f64,
    /// Number of pages of the later sweep.
    pub pages: u64,
    /// Number of pages by their fate.
    pub kinds: Kinds,
    /// Number of moves inside one server.
    pub within: u64,
    /// Number of moves from one server to another.
    pub between: u64,
    /// Number of changed texts by tenths of their resemblance to the text before. The last bin counts those with equal features.
    pub amount: Vec<u64>,
    /// The median of these resemblances.
    pub resemblance: Option<f64>,
}

/// Numbers of pages by their fate.
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
    /// Another page at the URL of one that moved.
    pub replaced: u64,
}

/// Pages first seen in one sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cohort {
    /// Date of the sweep.
    pub date: String,
    /// Number of these pages that are left, in this sweep and in every later one.
    pub alive: Vec<u64>,
}
