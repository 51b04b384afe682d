//! The memory, disk and threads that a run may take, and those that it will take.
//!
//! `budget` names what cannot be split into parts: some dozen bytes and the id of every document, the longest text, the passages
//! of two such texts, a document with all that it meets, and the component that a forest spans. It refuses a memory limit that is
//! too small for these.
//!
//! *The forecast.* Before a large run, chunks from places spread over the files are signed, and kept for their turn. Line ends at
//! many more places give the number of documents, and their variance gives its error. `forecast` reports memory and disk, and
//! checks both again when all documents are signed. A refusal names the memory that suffices for all steps. `family` estimates
//! from the keys how much memory the documents need that are compared together.

pub(crate) mod budget;
pub(crate) mod family;
pub(crate) mod forecast;
pub(crate) mod longest;
pub(crate) mod machine;
pub(crate) mod sample_stats;
pub(crate) mod threads;
