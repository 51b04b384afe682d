//! What replaces the engine.

pub mod counted;
pub mod fingerprints;
pub mod shelf;
pub mod texts;
pub mod unwatched;
