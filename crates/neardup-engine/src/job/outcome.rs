//! What a run returns.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

/// What a run leaves.
pub struct Outcome {
    /// The text of `run.json`.
    pub summary: String,
    /// The result tables in memory, when there is no output folder: decisions, clusters, pairs, passages or sketches.
    pub tables: Vec<(&'static str, SchemaRef, Vec<RecordBatch>)>,
}
