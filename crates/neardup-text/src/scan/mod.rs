//! The scan: a text into words, 64 bytes at a time.

pub(crate) mod letters;
pub(crate) mod lowered;
pub(crate) mod order;
pub(crate) mod sigma;
pub(crate) mod table;
pub(crate) mod wide;
pub(crate) mod window;
pub(crate) mod words;
