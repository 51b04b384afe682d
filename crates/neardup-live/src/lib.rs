//! The living index: documents added, asked for and removed one at a time.
//!
//! An index is a folder: immutable segments, a log of what came after them, the state of every document, and a
//! manifest that names all of these. What is acknowledged is in the log; everything else can be made from there.

mod adding;
mod answering;
mod before;
pub mod bench;
mod chains;
pub mod changes;
pub mod checking;
pub mod column;
pub mod contents;
pub mod document;
mod error;
pub mod exchange;
mod families;
#[cfg(test)]
mod flow;
pub mod folder;
mod head;
pub mod holdings;
pub mod identity;
pub mod index;
pub mod info;
pub mod journal;
mod laid;
mod leading;
mod linking;
mod loading;
pub mod lock;
pub mod log;
pub mod manifest;
mod map;
mod mutex;
mod names;
mod partial;
pub mod passes;
mod pieces;
pub mod places;
pub mod policy;
pub mod query;
mod queue;
mod records;
mod removal;
pub mod repair;
mod roll;
pub mod row;
pub mod sections;
pub mod segment;
pub mod shard;
pub mod shards;
mod shelving;
pub mod signed;
pub mod split;
pub mod state;
mod state_file;
mod step;
pub mod stock;
pub mod table;
pub mod texts;
pub mod verdict;
mod verifying;
pub mod wire;

pub use error::{Error, Result};
