//! The encoding of a text: its name, its byte order mark, its bytes, and a guess where nothing declares it.

mod decoder;
pub(crate) mod guess;
mod label;
mod text_encoding;

pub(crate) use decoder::{INVALID, TextDecoder};
pub(crate) use text_encoding::LONGEST_MARK;
pub use text_encoding::TextEncoding;
