//! Repeated passages: runs of at least N tokens that occur at two or more places of a corpus.
//!
//! A *place* is a document and the index of the first token of an N-gram, which is N consecutive tokens. A place is *repeated*
//! if an equal N-gram begins at an earlier place, in input order; the first of these places is its *original*. The steps find
//! every repeated place:
//!
//! 1. [`anchors`]: selects the smallest of the fingerprints of the shorter runs inside every N-gram. Equal N-grams have equal
//!    anchors, each its own. An anchor that occurs once in the corpus is in no repeated place.
//! 2. [`shared`]: marks the anchors that occur at least twice, with one bit for each.
//! 3. [`grams`]: computes the fingerprint of the whole N-gram, only at places with a shared anchor.
//! 4. [`first`]: finds the first place of every fingerprint, and all later ones.
//! 5. [`passages`]: joins consecutive places with consecutive originals to a passage; [`originals`] counts the occurrences of
//!    each.
//! 6. [`images`]: finds the earlier places of the pieces that can be removed, which are kept. [`composed`] finds the pieces
//!    that occur whole at an earlier place but in no single passage. [`cut`] decides by both.
//!
//! A corpus may be compared with a [`reference`]. Its places precede all others, and its own repeats are no passages.
//!
//! Entries are partitioned in the store by their highest bits ([`partitioned`]), so each part is read by itself, and each step
//! reads as many entries at once as fit. A table over a part has one entry for each N-gram, so the occurrences of an N-gram
//! cost no more than their places. A test compares all steps together with a map of all N-grams.

pub mod anchors;
pub mod composed;
pub mod cut;
pub mod first;
pub mod grams;
pub mod images;
pub mod originals;
pub mod partitioned;
pub mod passages;
pub mod reference;
pub mod shared;

#[cfg(test)]
mod flow;
