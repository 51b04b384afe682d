//! Feature sets and weighted vectors, what two of them share, and what a sketch keeps of them.
//!
//! `set` makes features distinct and counts what two sets share.

pub mod bitmap;
pub(crate) mod overlap;
pub mod parts;
pub mod set;
pub mod sketch;
pub mod vector;
