//! JSON strings: their escapes and their ends.

pub(crate) mod escape;
pub(crate) mod string_end;
