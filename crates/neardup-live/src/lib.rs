//! The living index: documents added, asked for and removed one at a time.
//!
//! An index is a folder: immutable segments, a log of what came after them, the state of every document, and a
//! manifest that names all of these. What is acknowledged is in the log; everything else can be made from there.

mod error;
pub mod folder;
mod head;
pub mod lock;
pub mod log;
pub mod manifest;
mod map;
mod partial;
pub mod sections;

pub use error::{Error, Result};
