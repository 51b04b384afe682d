//! Texts that were read and can be fetched again.
//!
//! Texts of JSON lines and text files are fetched from their files; all others are fetched from a spool.

pub(crate) mod fetch;
pub(crate) mod spool;
pub(crate) mod strings;
