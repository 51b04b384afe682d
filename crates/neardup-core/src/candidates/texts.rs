//! Texts that are read again.

use crate::Result;
use neardup_text::Text;

/// Where texts are read again.
pub trait TextAccess: Sync {
    /// The text at a place, from 0, among those that are read again, in `buffer` or wherever it is. For a comparison the place is
    /// the number of the candidate.
    fn text<'b>(&'b self, place: u32, buffer: &'b mut Vec<u8>) -> Result<Text<'b>>;
}
