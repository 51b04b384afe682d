//! From texts to segments of signed documents.
//!
//! A segment holds the signed documents of a chunk: sizes, digests, keys, bitmaps, and the parts of signatures that tests
//! need. `hosts` selects a sample of the documents of each host and the shingles that too many of them hold: the frame of the
//! site. The frame is a lexicon, and every document leaves out what it holds. So features stay a function of the text, exact
//! copies stay copies, and no other stage knows of hosts.

pub mod counting;
pub mod hosts;
pub mod ignored_keys;
pub mod segment;
pub mod segments;
pub mod signer;
