//! The steps of a pass over signed documents, in order, and one pass after another.

pub(crate) mod batch;
pub(crate) mod batch_result;
pub(crate) mod batches;
pub(crate) mod candidate_set;
pub(crate) mod certifier;
pub(crate) mod pass_count;
pub(crate) mod pass_run;
pub(crate) mod passes;
