//! Schemes compared with labels, as plain data: the content of evaluation.json.

use serde::{Deserialize, Serialize};

/// What `neardup evaluate` found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The version of neardup.
    pub neardup: String,
    /// The command as it was given.
    pub command: Option<String>,
    /// What the labels say.
    pub truth: Truth,
    /// Documents of the inputs.
    pub documents: u64,
    /// The schemes in the order given.
    pub schemes: Vec<SchemeEvaluation>,
}

/// What the labels say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The file.
    pub source: String,
    /// "pairs" or "clusters".
    pub kind: String,
    /// Whether a pair of labelled documents that no label makes a duplicate counts as none.
    pub complete: bool,
    /// Labelled documents; with complete pairs, all documents.
    pub documents: u64,
    /// Pairs that are duplicates.
    pub positives: u64,
    /// Pairs that are not.
    pub negatives: u64,
    /// Pairs too close to the line between both to be counted.
    pub left_out: u64,
}

/// One scheme against the labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemeEvaluation {
    /// The canonical scheme line.
    pub scheme: String,
    /// Whether every pair was checked on the full features.
    pub verified: bool,
    /// What a user of this scheme should know.
    pub notes: Vec<String>,
    /// The pairs it lists.
    pub pairs: PairScore,
    /// All pairs that its clusters imply.
    pub clusters: PairScore,
    /// Its clusters, document by document.
    pub b_cubed: BCubed,
    /// Precision and recall by score.
    pub curve: Curve,
    /// What it took.
    pub cost: SchemeCost,
}

/// Pairs counted against the labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairScore {
    /// Found and a duplicate.
    pub tp: u64,
    /// Found and none; not known when no pair is labelled so.
    pub fp: Option<u64>,
    /// A duplicate and not found.
    pub r#fn: u64,
    /// Groups of documents that hold a counted pair and share none with another group.
    pub components: u64,
    /// tp / (tp + fp).
    pub precision: Proportion,
    /// tp / (tp + fn).
    pub recall: Proportion,
    /// 2 tp / (2 tp + fp + fn).
    pub f1: Proportion,
}

/// Clusters measured document by document (Bagga and Baldwin 1998).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BCubed {
    /// Documents over which the mean is taken.
    pub documents: u64,
    /// Groups of them that are independent.
    pub components: u64,
    /// Mean share of a document's cluster that belongs to it.
    pub precision: Proportion,
    /// Mean share of what belongs to a document that is in its cluster.
    pub recall: Proportion,
    /// Harmonic mean of both.
    pub f1: Proportion,
}

/// A ratio with its 95 % interval, or the reason why it is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proportion {
    /// Between 0 and 1.
    pub value: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Why there is no value.
    pub reason: Option<String>,
}

/// Precision and recall at every score from which pairs might be taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// What pairs are ordered by: "resemblance" or "containment".
    pub score: String,
    /// Distinct scores of counted pairs.
    pub scores: u64,
    /// Highest score first; a part of all when there are many.
    pub points: Vec<CurvePoint>,
    /// The mean of precision over the steps of recall.
    pub average_precision: Option<f64>,
    /// Where F1 is highest.
    pub best: Option<CurvePoint>,
    /// Why there is no precision.
    pub reason: Option<String>,
}

/// What is found at or above a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// The score.
    pub score: f64,
    /// Duplicates at or above it.
    pub tp: u64,
    /// Others at or above it.
    pub fp: Option<u64>,
    /// tp / (tp + fp).
    pub precision: Option<f64>,
    /// tp of all duplicates.
    pub recall: Option<f64>,
    /// The harmonic mean of both.
    pub f1: Option<f64>,
}

/// Time and memory of a scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemeCost {
    /// Seconds to list the pairs, all phases.
    pub seconds: f64,
    /// The phases of that run.
    pub phases: Vec<PhaseTime>,
    /// Documents in a second of that run.
    pub documents_per_second: Option<f64>,
    /// Millions of bytes of input, as it is on disk, in a second of the phase that reads and signs it.
    pub megabytes_per_second: Option<f64>,
    /// Bytes kept of a document's sketch.
    pub sketch_bytes_per_document: Option<f64>,
    /// Seconds to make the clusters, in a run of their own.
    pub cluster_seconds: f64,
}

/// How long a phase took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseTime {
    /// Its name: a verb such as "sign".
    pub name: String,
    /// Wall time.
    pub seconds: f64,
}
