//! From texts to segments of signed documents.

pub mod counting;
pub mod hosts;
pub mod ignored_keys;
pub mod segment;
pub mod segments;
pub mod signer;
