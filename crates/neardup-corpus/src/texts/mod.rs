//! Texts that were read, to be fetched again.

pub(crate) mod fetch;
pub(crate) mod spool;
pub(crate) mod strings;
