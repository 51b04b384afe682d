//! The results that a run writes: tables, kept files, the summary, the digest and the report.
//!
//! `index` adds the documents of a run to a new index in input order, chunk by chunk, and the index decides them itself, so there
//! is one way to write a segment. Before anything is read it refuses a run whose decisions an index could not repeat. `steps`
//! goes through the forest from the highest threshold down, for the choice of thresholds in the report, which needs no script.
//! Large results are written past the page cache.

pub(crate) mod added_fields;
pub(crate) mod capped_key;
pub(crate) mod cluster_table;
pub(crate) mod decided_sources;
pub(crate) mod digest;
pub(crate) mod group_counts;
pub(crate) mod host_counts;
pub(crate) mod index;
pub(crate) mod kept_files;
pub(crate) mod kept_stream;
pub(crate) mod missing_fields;
pub(crate) mod page;
pub(crate) mod reading_summary;
pub(crate) mod run_results;
pub(crate) mod sketches;
pub(crate) mod steps;
pub(crate) mod summary;
pub(crate) mod tables;
