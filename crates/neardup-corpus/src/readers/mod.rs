//! How records are read in parallel, whatever their format.
//!
//! A pool of workers reads chunks of one source at the same time and delivers them in order. After a stop the reader receives
//! the chunks that are done and skips them.

pub(crate) mod draft;
pub(crate) mod feed;
pub(crate) mod large;
pub(crate) mod options;
pub(crate) mod read;
pub(crate) mod worker_pool;
