//! The units a text can be cut into.

pub(crate) mod chars;
pub(crate) mod given;
pub(crate) mod jamo;
pub(crate) mod pieces;
pub(crate) mod segmented;
pub(crate) mod sentences;
pub(crate) mod tiles;
pub(crate) mod unit;
