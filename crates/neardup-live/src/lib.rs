//! The living index: documents are added, queried and removed one at a time.
//!
//! An index is a folder. It contains immutable segments, a log of the steps since then, the state of every document, and a manifest
//! that names all of these. Every acknowledged step is in the log or in the segments before it. Everything else can be derived from
//! these.

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
