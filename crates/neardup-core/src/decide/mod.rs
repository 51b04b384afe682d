//! Which candidates are near duplicates, and what follows from it.

pub mod compare;
pub mod components;
pub(crate) mod differences;
pub mod effort;
pub mod forest_search;
pub mod key_text;
pub mod leaders;
pub mod misses;
pub mod pairs;
pub mod spanning_forest;
pub mod text_tests;
pub mod value;
