//! The errors of this crate.

use thiserror::Error;

/// The reason why a page could not be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The page does not fit even without texts.
    #[error("the page cap is {cap} bytes; this run needs at least {needed} without any text: allowed are {needed} or more")]
    CapTooSmall {
        /// Number of bytes that are allowed.
        cap: usize,
        /// Number of bytes that are needed.
        needed: usize,
    },
    /// A built-in template does not fit its data.
    #[error("the report template failed: {0}")]
    Template(#[from] minijinja::Error),
}
