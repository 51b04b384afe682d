//! Memory, signals and files.

pub(crate) mod huge_pages;
pub(crate) mod outputs;
pub(crate) mod waiting;
