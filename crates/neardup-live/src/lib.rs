//! The living index: documents added, asked for and removed one at a time.
//!
//! An index is a folder: immutable segments, a log of what came after them, the state of every document, and a
//! manifest that names all of these. What is acknowledged is in the log; everything else can be made from there.

mod adding;
mod before;
mod bench;
mod chains;
mod column;
mod document;
mod error;
pub mod folder;
mod head;
mod holdings;
#[cfg(test)]
mod flow;
mod leading;
mod linking;
pub mod lock;
pub mod log;
pub mod manifest;
mod map;
mod partial;
mod passes;
pub mod policy;
mod removal;
mod row;
pub mod sections;
mod segment;
mod signed;
mod state;
mod stock;
mod table;

pub use error::{Error, Result};
