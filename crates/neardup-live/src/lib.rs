//! The living index: documents added, asked for and removed one at a time.
//!
//! An index is a folder: immutable segments, a log of what came after them, the state of every document, and a
//! manifest that names all of these. What is acknowledged is in the log; everything else can be made from there.

pub mod decide;
pub mod documents;
mod error;
mod format;
pub mod index;
mod mutex;
pub mod read_only;
pub mod repair;
pub mod shards;
pub mod snapshot;
pub mod storage;

pub use error::{Error, Result};
