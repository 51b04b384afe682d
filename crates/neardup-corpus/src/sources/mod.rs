//! A file of documents, and its bytes.

pub(crate) mod handle;
pub(crate) mod source;
pub(crate) mod stream;
