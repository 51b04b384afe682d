//! The steps of a pass over signed documents, in order, and one pass after another.
//!
//! The steps are the same for `dedup`, `cluster` and `pairs`; a scheme decides what runs inside them. With several passes each
//! pass runs all steps from count to connect. A later pass signs the texts again: each document keeps its number, and a dropped
//! document is signed as a blank text, which matches nothing. Findings of all passes are added up, each with the number of its
//! pass, and written once.

pub(crate) mod batch;
pub(crate) mod batch_result;
pub(crate) mod batches;
pub(crate) mod candidate_set;
pub(crate) mod certifier;
pub(crate) mod pass_count;
pub(crate) mod pass_run;
pub(crate) mod passes;
