//! The files of an index as bytes: heads, sections, the log, the lock.

pub mod file_kind;
pub(crate) mod head;
pub mod identity;
pub mod lock;
pub mod log;
pub(crate) mod map;
pub(crate) mod mended;
pub(crate) mod partial;
pub(crate) mod pieces;
pub mod sections;
