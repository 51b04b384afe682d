//! How records are read in parallel, whatever their format.

pub(crate) mod draft;
pub(crate) mod feed;
pub(crate) mod large;
pub(crate) mod options;
pub(crate) mod read;
pub(crate) mod worker_pool;
