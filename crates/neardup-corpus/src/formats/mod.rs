//! One reader for each format.

pub(crate) mod archive;
pub(crate) mod arrow;
pub(crate) mod columns;
pub(crate) mod csv;
pub(crate) mod guarded;
pub(crate) mod header;
pub(crate) mod json;
pub(crate) mod parquet;
pub(crate) mod read;
pub(crate) mod sample;
pub(crate) mod whole_files;
