//! Weights of terms, and the numbers of documents that contain them.

pub(crate) mod frequencies;
pub mod idf;
pub mod lexicon;
pub mod weigher;
