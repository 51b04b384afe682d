//! Jobs, and questions about schemes and finished runs.

pub(crate) mod columns;
mod dictionary;
pub(crate) mod evidence;
pub(crate) mod explain;
pub(crate) mod keep_rows;
pub(crate) mod lexicon;
pub(crate) mod options;
pub(crate) mod overlaps;
pub(crate) mod read;
mod read_options;
pub(crate) mod recluster;
pub(crate) mod run;
pub(crate) mod sources;
pub(crate) mod spread;
