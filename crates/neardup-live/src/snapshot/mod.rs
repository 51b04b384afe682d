//! All that is known of an index after a step of its log.
//!
//! The log holds steps: documents that came, and removals. All other data is derived from steps by the same code, so a reader
//! that replays the log decides the same. Memory becomes a segment, and segments of similar size become one. The manifest names
//! all files of a snapshot, and a new manifest replaces the old one in a single rename. Files that no manifest names are removed
//! by the next writer.
//!
//! `query` compares only documents that share a key. Where these are more than the limit, bitmaps bound what each can reach,
//! and comparing stops when none can be among the best. A second scheme may have tables of its own, whose keys are samples; it
//! finds texts that contain one another, whatever their sizes.

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
