//! Documents as they are stored: segments, texts, records, state, and the tables they are found by.

pub mod document;
pub mod document_table;
pub(crate) mod place_columns;
pub mod places;
pub mod policy;
pub(crate) mod postings;
pub(crate) mod records;
pub(crate) mod roll;
pub mod row;
pub mod segment;
pub mod signed;
pub mod state;
pub(crate) mod state_file;
pub mod table;
pub mod table_key;
pub mod texts;
