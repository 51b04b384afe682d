//! The units a text can be cut into.
//!
//! Lines, sentences and paragraphs are cut by `pieces`. Masks find the places where a sentence may end; the rules of UAX 29
//! decide only there (`sentences`). `segmented` asks the dictionaries of ICU4X for runs of scripts without spaces, and for
//! nothing else. `given` reads values that were made elsewhere: an integer is its own token, and every other value is hashed.
//! Under a seed integers are hashed too, because nobody may foresee a sample of them.

pub(crate) mod chars;
pub(crate) mod given;
pub(crate) mod jamo;
pub(crate) mod pieces;
pub(crate) mod segmented;
pub(crate) mod sentences;
pub(crate) mod tiles;
pub(crate) mod unit;
