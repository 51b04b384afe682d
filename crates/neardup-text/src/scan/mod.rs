//! The scan: a text into words, 64 bytes at a time.
//!
//! The scan reads 64 bytes at a time and makes bit masks of them: which bytes belong to words, which are upper case, where
//! words begin. `table` holds the properties of every character, from ICU4X. Some texts need more than masks: a character
//! whose lower case is longer, or marks that are out of order. Such a document takes the slow path in `unicode`.

pub(crate) mod letters;
pub(crate) mod lowered;
pub(crate) mod order;
pub(crate) mod sigma;
pub(crate) mod table;
pub(crate) mod wide;
pub(crate) mod window;
pub(crate) mod words;
