//! Parallel reading of records, independent of their format.
//!
//! A pool of workers reads the chunks of one source in parallel and returns their results in order. When a stopped run resumes, the
//! reader receives the finished chunks and skips them.

pub(crate) mod draft;
pub(crate) mod feed;
pub(crate) mod large;
pub(crate) mod options;
pub(crate) mod read;
pub(crate) mod worker_pool;
