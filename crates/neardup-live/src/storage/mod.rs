//! The files of an index as bytes: heads, sections, the log, the lock.
//!
//! A file gets its name when it is complete and never changes after that, so it can be mapped and shared. Every byte has a
//! checksum. Only the log grows: a commit writes records, waits for the disk, and writes the new length into one of two slots.
//! Readers in any process trust the slots. A writer that opens the log also accepts complete records after the slot's length,
//! because a slot may be older than the data on the disk. It cuts off what follows. Readers take no lock: a reader that misses a
//! file reads the manifest again. Every file contains the identity of its index. Columns refer to each other, so opening also
//! checks what a checksum cannot: that numbers ascend, and that references exist.

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
