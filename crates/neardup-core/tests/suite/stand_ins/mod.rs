//! What replaces the engine.

pub mod counted;
pub mod fingerprints;
pub mod some_texts;
pub mod texts;
pub mod unwatched;
