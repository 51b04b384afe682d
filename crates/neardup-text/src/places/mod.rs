//! The places of the tokens in a text.

pub(crate) mod locate;
pub(crate) mod spans;
