//! The units into which a text can be cut.
//!
//! `pieces` cuts lines, sentences and paragraphs. Masks find the places where a sentence may end; the rules of UAX 29 are applied
//! only there (`sentences`). `segmented` uses the dictionaries of ICU4X only for runs of scripts without spaces. `given` reads
//! given values: an integer is its own token, and every other value is hashed. Under a seed, integers are hashed too, so that
//! nobody can predict a sample of them.

pub(crate) mod chars;
pub(crate) mod given;
pub(crate) mod jamo;
pub(crate) mod pieces;
pub(crate) mod segmented;
pub(crate) mod sentences;
pub(crate) mod tiles;
pub(crate) mod unit;
