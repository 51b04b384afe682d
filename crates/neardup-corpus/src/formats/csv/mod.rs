//! CSV and TSV.

pub(crate) mod reader;
pub(crate) mod table;
