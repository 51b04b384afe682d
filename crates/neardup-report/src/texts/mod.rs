//! Two texts side by side, and a text with highlights.

pub(crate) mod cell;
pub mod diff;
pub(crate) mod highlight;
pub(crate) mod side_by_side;
