//! Schemes compared with labels, as plain data: the content of evaluation.json.

use serde::{Deserialize, Serialize};

/// The result of `neardup evaluate`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Version of neardup.
    pub neardup: String,
    /// The command, as it was given.
    pub command: Option<String>,
    /// Counts of the labels.
    pub truth: Truth,
    /// Number of documents of the inputs.
    pub documents: u64,
    /// The schemes, in the order given.
    pub schemes: Vec<SchemeEvaluation>,
}

/// The labels that schemes are compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// File of the labels.
    pub source: String,
    /// "pairs" or "clusters".
    pub kind: String,
    /// Whether two labelled documents that no label makes duplicates count as a negative.
    pub complete: bool,
    /// Number of labelled documents; if the labels are complete, number of all documents.
    pub documents: u64,
    /// Number of pairs that are duplicates.
    pub positives: u64,
    /// Number of pairs that are not.
    pub negatives: u64,
    /// Number of pairs that are too close to the line between both to be counted.
    pub left_out: u64,
}

/// One scheme, compared with the labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemeEvaluation {
    /// The canonical scheme line.
    pub scheme: String,
    /// Whether every pair was checked on the full features.
    pub verified: bool,
    /// Notes that a user of this scheme should know.
    pub notes: Vec<String>,
    /// Score of the pairs that it lists.
    pub pairs: PairScore,
    /// Score of all pairs that its clusters imply.
    pub clusters: PairScore,
    /// Score of its clusters, document by document.
    pub b_cubed: BCubed,
    /// Precision and recall by score.
    pub curve: Curve,
    /// Its cost.
    pub cost: SchemeCost,
}

/// Pairs, counted by the labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairScore {
    /// Number of found pairs that are duplicates.
    pub tp: u64,
    /// Number of found pairs that are not; `None` if no pair is labelled so.
    pub fp: Option<u64>,
    /// Number of duplicates that were not found.
    pub r#fn: u64,
    /// Number of groups of documents that contain a counted pair and share none with another group.
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
    /// Number of documents over which the mean is taken.
    pub documents: u64,
    /// Number of independent groups of these documents.
    pub components: u64,
    /// Mean share of a document's cluster that belongs with it.
    pub precision: Proportion,
    /// Mean share of the documents that belong with a document that are in its cluster.
    pub recall: Proportion,
    /// Harmonic mean of both.
    pub f1: Proportion,
}

/// A ratio with its 95 % interval, or the reason why it is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proportion {
    /// The value, between 0 and 1.
    pub value: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Reason why there is no value.
    pub reason: Option<String>,
}

/// Precision and recall at every score from which pairs might be taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Score that pairs are ordered by: "resemblance" or "containment".
    pub score: String,
    /// Number of distinct scores of counted pairs.
    pub scores: u64,
    /// Points of the curve, highest score first; a part of them if there are many.
    pub points: Vec<CurvePoint>,
    /// Mean precision over the steps of recall.
    pub average_precision: Option<f64>,
    /// Point at which F1 is highest.
    pub best: Option<CurvePoint>,
    /// Reason why there is no precision.
    pub reason: Option<String>,
}

/// Precision and recall of the pairs at or above a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// The score.
    pub score: f64,
    /// Number of duplicates at or above the score.
    pub tp: u64,
    /// Number of other pairs at or above the score.
    pub fp: Option<u64>,
    /// tp / (tp + fp).
    pub precision: Option<f64>,
    /// tp / number of all duplicates.
    pub recall: Option<f64>,
    /// The harmonic mean of both.
    pub f1: Option<f64>,
}

/// Time and memory of a scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemeCost {
    /// Seconds to list the pairs, in all phases.
    pub seconds: f64,
    /// The phases of that run.
    pub phases: Vec<PhaseTime>,
    /// Documents per second in that run.
    pub documents_per_second: Option<f64>,
    /// Millions of bytes of input, as it is on disk, per second of the phase that reads and signs it.
    pub megabytes_per_second: Option<f64>,
    /// Bytes stored of a document's sketch.
    pub sketch_bytes_per_document: Option<f64>,
    /// Seconds to make the clusters, in a run of their own.
    pub cluster_seconds: f64,
}

/// Time of a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseTime {
    /// Its name: a verb such as "sign".
    pub name: String,
    /// Wall time in seconds.
    pub seconds: f64,
}
