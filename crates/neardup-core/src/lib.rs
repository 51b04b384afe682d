//! Schemes and the algorithms they name: features, signatures, keys, measures, leaders, components.

pub mod arrange;
pub mod batches;
pub mod bitmap;
pub mod buckets;
pub mod candidates;
pub mod compare;
pub mod compile;
pub mod components;
pub mod control;
pub mod copies;
mod error;
pub mod features;
pub mod group;
mod index;
pub mod keys;
pub mod leaders;
pub mod measures;
pub mod misses;
pub mod numbering;
pub mod pairs;
pub mod pass;
pub mod passages;
pub mod promise;
pub mod ratio;
pub mod scheme;
pub mod segment;
pub mod segments;
pub mod set;
pub mod signatures;
pub mod signer;
pub mod sketch;
pub mod sorter;
pub mod store;

pub use error::{Error, Result};
