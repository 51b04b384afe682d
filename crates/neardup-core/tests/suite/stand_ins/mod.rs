//! What stands in for the engine.

pub mod counted;
pub mod fingerprints;
pub mod shelf;
pub mod texts;
pub mod unwatched;
