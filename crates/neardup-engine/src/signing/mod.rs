//! From the files of a job to signed documents.
//!
//! With `weight=idf:corpus` the documents of each term are counted first, and the texts are read again to be signed. With
//! `frame=SHARE` a first reading stores the host and the digest of each document, and a sample of each host is read again to
//! find its frame. Memory of a run stays bounded because columns are written to the work file as they are made.

pub(crate) mod build_lexicon;
pub(crate) mod count;
pub(crate) mod first_reading;
pub(crate) mod frames;
pub(crate) mod inputs;
pub(crate) mod reread;
pub(crate) mod sampling;
pub(crate) mod sign;
pub(crate) mod worker;
