//! Lexicons that a run counts over its own documents: terms, and frames of hosts.

pub mod count;
pub mod frame;
