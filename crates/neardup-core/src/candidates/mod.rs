//! Which documents are compared: those that share a key.

pub mod arrange;
pub mod batches;
pub mod buckets;
pub mod common_keys;
pub mod copies;
pub(crate) mod large_buckets;
pub mod late_keys;
pub(crate) mod near_fingerprints;
pub mod numbered;
pub mod slices;
pub mod texts;
pub mod thin_samples;
