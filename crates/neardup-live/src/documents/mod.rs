//! Documents as they are stored: segments, texts, records, state, and the tables they are found by.
//!
//! A segment is columns and tables. A table holds sorted hashes beside document numbers, with a directory by the highest bits;
//! under one key the leaders come first. A lookup takes one step for all keys in all segments, and then the next step, so that
//! reads of memory overlap. Documents that are in no segment yet are found in `postings`.
//!
//! Texts are most of what is written, and are stored in files of their own. A segment holds their places, so merging leaves
//! texts where they are until half of them belong to removed documents. Every document is described twice: in its segment and
//! beside its text (`records`). The ids of all documents are stored in the state and in the roll.

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
