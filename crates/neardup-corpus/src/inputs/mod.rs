//! Inputs that a user names, and the sources that they represent.

pub(crate) mod discover;
pub(crate) mod stdin;
pub(crate) mod targets;
pub(crate) mod unpack;
pub(crate) mod unread;
