//! A file of documents, and its byte stream.

pub(crate) mod handle;
pub(crate) mod misnamed;
pub(crate) mod pieces;
pub(crate) mod source;
pub(crate) mod stream;
pub(crate) mod transcode;
