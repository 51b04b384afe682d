//! What the folders of a split index ask each other.

pub mod exchange;
pub mod peers;
pub mod shard;
pub mod tcp;
