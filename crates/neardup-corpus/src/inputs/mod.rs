//! Inputs that a user names, and the sources that they represent.

mod copy;
pub(crate) mod decoded;
pub(crate) mod discover;
pub(crate) mod extract;
pub(crate) mod find_options;
pub(crate) mod patterns;
pub(crate) mod probe;
pub(crate) mod selected;
pub(crate) mod spool;
pub(crate) mod targets;
pub(crate) mod unpack;
pub(crate) mod unread;
