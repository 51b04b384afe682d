//! The units into which a text can be cut.
//!
//! `pieces` cuts lines, sentences and paragraphs. Masks find the places where a sentence may end; the rules of UAX 29 are applied
//! only there (`sentences`). `words` cuts a normalised text into words, with signs beside them (`signs`) and with the dictionaries of
//! ICU4X for runs of scripts without spaces; plain words are cut by the scan instead. `code` cuts source code. `given` reads
//! given values: an integer is its own token, and every other value is hashed. Under a seed, integers are hashed too, so that
//! nobody can predict a sample of them.

pub(crate) mod chars;
pub(crate) mod code;
pub(crate) mod comments;
pub(crate) mod cut;
pub(crate) mod given;
pub(crate) mod jamo;
pub(crate) mod pieces;
pub(crate) mod rules;
pub(crate) mod sentences;
pub(crate) mod signs;
pub(crate) mod tiles;
pub(crate) mod unit;
pub(crate) mod words;
