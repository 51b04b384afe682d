//! Everything the page says, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CappedKey, Cluster, ClusterTable, Counts, Histogram, InputFile, Phase, Recall, ShownPair, ThresholdStep};

/// Which result the run gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportedJob {
    /// Keep or drop for every document.
    Dedup,
    /// Components and leader groups.
    Cluster,
    /// All pairs.
    Pairs,
}

impl ReportedJob {
    /// What a leader and its members are called.
    pub(crate) fn group(self) -> &'static str {
        if self == ReportedJob::Cluster { "leader group" } else { "cluster" }
    }
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Which result it gives.
    pub job: ReportedJob,
    /// The command as it was given.
    pub command: String,
    /// The version of neardup.
    pub version: String,
    /// The canonical scheme line.
    pub scheme: String,
    /// What a pair must meet, as the scheme line writes it: "resemblance>=0.8".
    pub condition: String,
    /// The least score of a pair as an exact decimal, e.g. "0.8"; empty when the scheme asks for none.
    pub threshold: String,
    /// What a document is compared by: "shingles", or what else the features of the scheme are.
    pub features: String,
    /// What is promised to be found, and the chance of the keys.
    pub recall: Recall,
    /// The digest of the result, in hexadecimal.
    pub digest: String,
    /// Whether every result was decided by a plain measure, and none by what sketches keep.
    pub verified: bool,
    /// Totals.
    pub counts: Counts,
    /// What these say of the answer, where it may surprise.
    pub notes: Vec<String>,
    /// Clusters as Broder counts them: components in a result of `cluster`, else leader groups.
    pub table: ClusterTable,
    /// The same of leader groups, of which the lists are.
    pub leader_groups: ClusterTable,
    /// Phases in the order of the run.
    pub phases: Vec<Phase>,
    /// Inputs in the order given.
    pub inputs: Vec<InputFile>,
    /// Resemblances of compared pairs.
    pub histogram: Histogram,
    /// Documents in a cluster -> clusters of that size.
    pub sizes: BTreeMap<u64, u64>,
    /// The clusters at every threshold that can be had without another run, ascending; none where there is no other.
    pub steps: Vec<ThresholdStep>,
    /// The largest leader groups, largest first.
    pub largest: Vec<Cluster>,
    /// Leader groups with the lowest scores to their leader, lowest first.
    pub riskiest: Vec<Cluster>,
    /// Pairs just below the threshold, highest first.
    pub rejected: Vec<ShownPair>,
    /// Keys above the cap.
    pub capped: Vec<CappedKey>,
}
