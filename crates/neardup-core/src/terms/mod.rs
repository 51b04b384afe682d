//! What terms weigh: how many documents of a corpus hold each.

pub(crate) mod frequencies;
pub mod idf;
pub mod lexicon;
pub mod weigher;
