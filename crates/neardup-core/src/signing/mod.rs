//! Signing: from texts to segments of signed documents.
//!
//! A segment contains the signed documents of a chunk: sizes, digests, keys, bitmaps, and the parts of signatures that
//! tests need. `hosts` selects a sample of the documents of each host and the shingles that too many of them contain: the
//! frame of the site. The frame is a lexicon, and the features of every document leave out the shingles in it. So features
//! remain a function of the text, exact copies remain copies, and no other stage depends on hosts.

pub mod counting;
pub mod hosts;
pub mod ignored_keys;
pub mod segment;
pub mod segments;
pub mod signer;
