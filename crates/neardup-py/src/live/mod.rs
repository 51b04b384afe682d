//! The index.

pub(crate) mod document_row;
pub(crate) mod following;
pub(crate) mod index;
pub(crate) mod index_rows;
pub(crate) mod repair;
pub(crate) mod search;
pub(crate) mod tables;
