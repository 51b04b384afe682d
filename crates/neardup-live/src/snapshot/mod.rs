//! The state of an index after a step of its log.
//!
//! The log contains steps: additions and removals of documents. All other data is derived from steps by the same code, so a reader
//! that replays the log makes the same decisions. Documents in memory become a segment, and segments of similar size are merged
//! into one. The manifest names all files of a snapshot, and a new manifest replaces the old one in a single rename. The next
//! writer removes files that no manifest names.
//!
//! `query` compares only documents that share a key. If there are more of them than the limit, bitmaps bound the resemblance of
//! each, and comparing stops when no other can be among the best. An index may have a second scheme with tables of its own, whose
//! keys are samples. It finds texts that contain one another, whatever their sizes.

pub mod changes;
pub mod check;
pub mod contents;
pub mod failure;
pub mod folder;
pub mod journal;
pub(crate) mod known;
pub(crate) mod loader;
pub mod manifest;
pub(crate) mod names;
pub mod query;
pub(crate) mod segment_writer;
pub(crate) mod step;
pub(crate) mod text_layout;
