//! From the files of a job to signed documents.

pub(crate) mod build_lexicon;
pub(crate) mod count;
pub(crate) mod first_reading;
pub(crate) mod frames;
pub(crate) mod host_name;
pub(crate) mod inputs;
pub(crate) mod reread;
pub(crate) mod sampling;
pub(crate) mod sign;
pub(crate) mod worker;
