//! JSON lines.

pub(crate) mod cutter;
pub(crate) mod library;
pub(crate) mod lines;
pub(crate) mod parts;
pub(crate) mod reader;
pub(crate) mod stream;
pub(crate) mod value;
pub(crate) mod walk;
