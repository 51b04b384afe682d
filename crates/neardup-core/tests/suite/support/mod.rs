//! Helpers that replace parts of the engine in tests.

pub mod counted;
pub mod fingerprints;
pub mod some_texts;
pub mod texts;
pub mod unwatched;
