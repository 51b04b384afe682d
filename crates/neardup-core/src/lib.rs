//! Near-duplicate detection in memory: schemes, and the algorithms that they name.

pub mod candidates;
pub mod certificate;
pub mod compile;
pub mod decide;
mod error;
pub mod estimates;
pub mod features;
pub mod keys;
pub mod measures;
pub mod pass;
pub mod passages;
pub mod repeated_passages;
pub mod scheme;
pub mod sets;
pub mod signatures;
pub mod signing;
pub mod terms;
pub mod util;

pub use error::{Error, Result};
