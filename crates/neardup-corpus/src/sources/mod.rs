//! Where documents come from: files found by what a user names, and their bytes.

pub(crate) mod discover;
pub(crate) mod handle;
pub(crate) mod source;
pub(crate) mod stdin;
pub(crate) mod stream;
pub(crate) mod targets;
pub(crate) mod unpack;
pub(crate) mod unread;
