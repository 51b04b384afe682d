//! Bytes of pages to texts: the charset of a page, by its mark, its declaration or a guess.

pub(crate) mod charset;
pub(crate) mod declared;
