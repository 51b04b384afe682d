//! All that is known of an index after a step of its log.

pub mod changes;
pub mod checking;
pub mod contents;
pub mod failure;
pub mod folder;
pub mod journal;
pub(crate) mod known;
pub(crate) mod loading;
pub mod manifest;
pub(crate) mod names;
pub mod query;
pub(crate) mod segment_writer;
pub(crate) mod step;
pub(crate) mod text_layout;
