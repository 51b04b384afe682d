//! The parts that all result tables share, and how tables are written and read.

pub(crate) mod names;
pub(crate) mod page_columns;
pub(crate) mod parquet_file;
pub(crate) mod read;
pub(crate) mod schema;
pub(crate) mod table;
