//! What a user names, and the sources that it represents.

pub(crate) mod discover;
pub(crate) mod stdin;
pub(crate) mod targets;
pub(crate) mod unpack;
pub(crate) mod unread;
