//! Where the tokens of a text are.

pub(crate) mod locate;
pub(crate) mod spans;
