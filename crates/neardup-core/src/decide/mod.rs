//! Which candidates are near duplicates, and what follows from it.
//!
//! *Verification.* For each document the sketch holds a bitmap, a few numbers, and the parts of signatures that a test needs.
//! A bitmap can prove that a pair is too different; it never loses a pair. For every pair that remains `compare` reads both
//! texts, makes their feature sets and counts the overlap, and it caches the sets of leaders while the budget allows. Text
//! measures (`text_tests`) read both texts once more. So each accepted pair was compared in full, also a pair that an estimate
//! decides.
//!
//! *The leader rule.* `leaders` takes candidates in blocks. First it compares them with the leaders of earlier blocks, in
//! parallel. Then it compares the open ones with their likeliest leaders, in parallel, and the rest one by one. Only
//! comparisons with leaders decide, so a family of n near-copies costs about n comparisons, and threads change nothing.
//!
//! *Components.* `components` connects verified pairs and skips documents that are connected already. For
//! `cluster --forest`, `spanning_forest` grows the maximum spanning forest pair by pair, and `forest_search` compares only
//! documents that the forest connects worse than their sketches allow. In a large family `differences` derives the
//! resemblance of two documents from their differences to their leader.
//!
//! *Cost.* `effort` counts what is looked at and compared. Tests assert counts, never times. The first look at a candidate
//! reads the 24 bytes of its sketch header, for many leaders at once, so that reads of memory overlap.

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
