//! Texts that are read again.

use crate::Result;
use neardup_text::Text;

/// Where texts are read again.
pub trait TextAccess: Sync {
    /// The text of a candidate, in `buffer` or wherever it is.
    fn text<'b>(&'b self, candidate: u32, buffer: &'b mut Vec<u8>) -> Result<Text<'b>>;
}
