//! Repeated passages: runs of N tokens or more that occur at two or more places of a corpus.
//!
//! A *place* is a document and the token in it at which N tokens in a row begin, an N-gram. It is *repeated* when an equal
//! N-gram begins at an earlier place, in input order; the first of them all is its *original*. Every repeated place is found:
//!
//! 1. [`anchors`]: of the fingerprints of shorter runs inside every N-gram the smallest is chosen, so that equal N-grams
//!    have equal ones, each its own. An anchor that occurs once in the corpus is in no repeated place.
//! 2. [`shared`]: the anchors that occur twice or more, a bit each.
//! 3. [`grams`]: of the places whose anchor is shared, and of no others, the whole N-gram is fingerprinted.
//! 4. [`first`]: the first place of every fingerprint, and all later ones.
//! 5. [`passages`]: places in a row whose originals are in a row are one passage; [`originals`] counts how often each occurs.
//! 6. [`images`]: of the passages, where the pieces that can go are at an earlier place, which stays; [`composed`]: the pieces that
//!    are whole at an earlier place and in no one passage; [`cut`] decides by both.
//!
//! Entries go to the store dealt out by their highest bits ([`partitioned`]), so each step takes as many of them at once as fit, and
//! how often an N-gram occurs costs no more than its places.
//!
//! Entries are written to the store by their highest bits (`partitioned`), so each part is read by itself. A table over a part
//! has one entry for an N-gram, however often that occurs. A test compares all steps together with a map of all N-grams.

pub mod anchors;
pub mod composed;
pub mod cut;
pub mod first;
pub mod grams;
pub mod images;
pub mod originals;
pub mod partitioned;
pub mod passages;
pub mod shared;

#[cfg(test)]
mod flow;
