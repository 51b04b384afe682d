//! How alike two texts are, and why.

pub(crate) mod conditions;
pub(crate) mod explanation;
pub(crate) mod overlaps;
