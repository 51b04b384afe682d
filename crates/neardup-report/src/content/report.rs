//! The whole content of the page, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CappedKey, Cluster, ClusterTable, Counts, Histogram, InputFile, Phase, Recall, ReportedGroup, ShownPair, ThresholdStep};

/// Kind of the result of a run.
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
    /// Returns the name of a leader with its members.
    pub(crate) fn group(self) -> &'static str {
        if self == ReportedJob::Cluster { "leader group" } else { "cluster" }
    }
}

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Kind of the result.
    pub job: ReportedJob,
    /// The command, as it was given.
    pub command: String,
    /// Version of neardup.
    pub version: String,
    /// The canonical scheme line.
    pub scheme: String,
    /// Condition that a pair must meet, as the scheme line writes it: "resemblance>=0.8".
    pub condition: String,
    /// Least score of a pair as an exact decimal, e.g. "0.8"; empty if the scheme asks for none.
    pub threshold: String,
    /// Name of the features of the scheme, such as "shingles".
    pub features: String,
    /// The promise, and the chance of the keys.
    pub recall: Recall,
    /// Digest of the result, in hexadecimal.
    pub digest: String,
    /// Whether every result was decided by a plain measure, and none by a sketch.
    pub verified: bool,
    /// Totals.
    pub counts: Counts,
    /// Notes on these totals, where they may surprise.
    pub notes: Vec<String>,
    /// Clusters as Broder counts them: components in a result of `cluster`, otherwise leader groups.
    pub table: ClusterTable,
    /// The same for leader groups, which are shown in the lists.
    pub leader_groups: ClusterTable,
    /// Phases in the order of the run.
    pub phases: Vec<Phase>,
    /// Inputs in the order given.
    pub inputs: Vec<InputFile>,
    /// Groups with most documents, if the run has groups.
    #[serde(default)]
    pub groups: Vec<ReportedGroup>,
    /// Hosts with the most documents, those with the most first; empty if documents have no URLs.
    pub hosts: Vec<InputFile>,
    /// Number of hosts, including those that are not listed.
    pub all_hosts: u64,
    /// Resemblances of compared pairs.
    pub histogram: Histogram,
    /// Number of clusters by number of documents in a cluster.
    pub sizes: BTreeMap<u64, u64>,
    /// Clusters at every threshold that needs no other run, ascending; empty if there is no other threshold.
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
