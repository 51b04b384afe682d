//! Two texts side by side, their difference in one line, a text with highlights, and its title.

pub(crate) mod cell;
pub mod diff;
pub mod difference;
pub(crate) mod highlight;
pub(crate) mod side_by_side;
pub mod title;
