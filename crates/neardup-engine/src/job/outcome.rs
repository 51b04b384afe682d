//! The outcome of a run.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

/// What a run returns.
pub struct Outcome {
    /// The text of `run.json`.
    pub summary: String,
    /// The result tables in memory, if there is no output folder: decisions, clusters, pairs, passages or sketches.
    pub tables: Vec<(&'static str, SchemaRef, Vec<RecordBatch>)>,
}
