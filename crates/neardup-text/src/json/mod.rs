//! JSON strings: their escapes, and where one ends.

pub(crate) mod escape;
pub(crate) mod string_end;
