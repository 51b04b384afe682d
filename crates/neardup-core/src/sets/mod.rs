//! Feature sets and weighted vectors, their overlaps, and the sketches and bitmaps made of them.
//!
//! `set` removes repeated features and counts the features that two sets share.

pub mod bitmap;
pub(crate) mod overlap;
pub mod parts;
pub mod set;
pub mod sketch;
pub mod vector;
