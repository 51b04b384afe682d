//! One reader for each format.
//!
//! A JSON text is not copied: it is a view of the inside of its string, with its escapes. The strict walker of `json` accepts
//! a line only when it is sure of it, and serde_json decides every other line. Where the unit is `given`, the text field may
//! hold integers and lists; they are kept as they are written, and a value that is not allowed is refused with its place.

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
