//! Decides which candidates are near-duplicates, and what follows from it.
//!
//! *Verification.* The sketch of a document contains a bitmap, a few numbers, and the parts of signatures that a test
//! needs. A bitmap can prove that a pair is too different; it never loses a pair. For every remaining pair, `compare` reads
//! both texts, extracts their feature sets and counts the overlap. It caches the sets of leaders while the budget allows.
//! Text measures (`text_tests`) read both texts once more. So each accepted pair was compared in full, even if an estimate
//! decides it.
//!
//! *The leader rule.* `leaders` takes candidates in blocks. First it compares them with the leaders of earlier blocks, in
//! parallel. Then it compares the open ones with their likeliest leaders, in parallel, and the rest one by one. Only
//! comparisons with leaders decide, so a family of n near-copies costs about n comparisons, and the number of threads does
//! not change the result.
//!
//! *Components.* `components` connects verified pairs and skips documents that are connected already. For `cluster
//! --forest`, `spanning_forest` grows the maximum spanning forest pair by pair, and `forest_search` compares only documents
//! that the forest connects worse than their sketches allow. In a large family, `differences` derives the resemblance of
//! two documents from their differences to their leader.
//!
//! *Cost.* `effort` counts looks and comparisons. Tests assert counts, never times. The first look at a candidate reads the
//! 24 bytes of its sketch header, for many leaders at once, so that reads of memory overlap.

pub mod compare;
pub mod components;
pub(crate) mod differences;
pub mod effort;
pub mod forest_search;
pub mod key_text;
pub mod leaders;
pub mod misses;
pub mod pairs;
pub mod spanning_forest;
pub mod text_tests;
pub mod value;
pub mod verify;
