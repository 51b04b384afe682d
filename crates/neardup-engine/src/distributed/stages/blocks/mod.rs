//! Families that are too large for one task. A verdict depends only on documents that come before in policy order. So a first block of
//! a family is decided by itself, all other documents are compared with the leaders of that block, and those that are left begin
//! again. Clusters are the components of what is found in every two blocks.

pub mod divide;
pub mod expand;
pub mod lead;
pub mod sizes;
pub mod tie;
