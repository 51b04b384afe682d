//! Documents as they are stored: segments, texts, records, state, and the tables that find them.
//!
//! A segment consists of columns and tables. A table contains sorted hashes with document numbers, and a directory by the highest
//! bits. Under each key, leaders come before followers. A lookup does each step for all keys in all segments before the next step,
//! so that memory reads overlap. Documents that are not in a segment yet are found in `postings`.
//!
//! Texts are most of the written data, and are stored in files of their own. A segment contains only their places, so a merge
//! leaves the texts where they are until half of them belong to removed documents. Every document is described twice: in its
//! segment and beside its text (`records`). Both the state and the roll record which documents live.

pub mod document;
pub mod document_table;
pub(crate) mod living_documents;
pub(crate) mod place_columns;
pub mod places;
pub mod policy;
pub(crate) mod postings;
pub(crate) mod records;
pub mod row;
pub mod segment;
pub mod signed;
pub mod state;
pub(crate) mod state_file;
pub mod table;
pub mod table_key;
pub mod texts;
