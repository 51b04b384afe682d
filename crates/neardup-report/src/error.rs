//! What can go wrong.

use thiserror::Error;

/// Why a page could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The page does not fit even without texts.
    #[error("the page cap is {cap} bytes; this run needs at least {needed} without any text: allowed are {needed} or more")]
    CapTooSmall {
        /// Bytes allowed.
        cap: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// A template of ours does not fit its data.
    #[error("the report template failed: {0}")]
    Template(#[from] minijinja::Error),
}
