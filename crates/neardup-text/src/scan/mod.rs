//! The scan: normalises a text and cuts it into words, 64 bytes at a time.
//!
//! The scan turns each block of 64 bytes into bit masks: which bytes belong to words, and where words begin and end. `table` contains
//! the properties of every character and its normal form, from ICU4X. Masks are not enough for some texts: a character may have a
//! longer normal form, or marks may be out of order. Such a document is normalised first (`whole`), and then scanned.

pub(crate) mod letters;
pub(crate) mod segments;
pub(crate) mod settle;
pub(crate) mod table;
pub(crate) mod whole;
pub(crate) mod wide;
pub(crate) mod window;
pub(crate) mod words;
