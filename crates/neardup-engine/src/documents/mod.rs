//! The documents of a run: where each is, what it is called, and in which order they are preferred. Also the files and records
//! that are not documents.

pub(crate) mod catalogue;
pub(crate) mod chunk;
pub(crate) mod copy_groups;
pub(crate) mod files;
pub(crate) mod groups;
pub(crate) mod ids;
pub(crate) mod names;
pub(crate) mod order;
pub(crate) mod origins;
pub(crate) mod records;
pub(crate) mod side;
pub(crate) mod signed;
pub(crate) mod span;
