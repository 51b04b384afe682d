//! The changes of pages from sweep to sweep, as plain data: some of the steps, and how many there are.

use serde::{Deserialize, Serialize};

/// The result of `neardup sweep changes`, with a bounded number of steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepChanges {
    /// Version of neardup.
    pub neardup: String,
    /// The dates of the sweeps, in order of time.
    pub dates: Vec<String>,
    /// The same in Unix seconds.
    pub times: Vec<i64>,
    /// The kinds that are listed, in their order.
    pub kinds: Vec<String>,
    /// Greatest number of steps of a kind that are listed from one sweep to the next.
    pub most: u64,
    /// The changes from each sweep to the next.
    pub intervals: Vec<ChangedInterval>,
}

/// The changes from one sweep to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedInterval {
    /// The steps of each kind, in the order of the kinds.
    pub lists: Vec<StepList>,
}

/// The steps of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepList {
    /// Number of all steps.
    pub total: u64,
    /// The first ones, by URL.
    pub steps: Vec<ListedStep>,
}

/// What became of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListedStep {
    /// URL before.
    pub old: Option<String>,
    /// URL after.
    pub new: Option<String>,
    /// Resemblance of both versions, if there are two.
    pub resemblance: Option<f64>,
    /// What the kind does not say.
    pub remark: Option<String>,
}
