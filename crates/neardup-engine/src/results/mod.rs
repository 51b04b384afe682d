//! What a run writes: tables, kept files, the summary, the digest and the report.

pub(crate) mod capped_key;
pub(crate) mod cluster_table;
pub(crate) mod digest;
pub(crate) mod files;
pub(crate) mod index;
pub(crate) mod kept_files;
pub(crate) mod lacking;
pub(crate) mod page;
pub(crate) mod reading;
pub(crate) mod records;
pub(crate) mod run_results;
pub(crate) mod sketches;
pub(crate) mod steps;
pub(crate) mod summary;
pub(crate) mod tables;
