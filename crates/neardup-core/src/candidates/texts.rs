//! Access to texts that are read again.

use crate::Result;
use neardup_text::Text;

/// Reads texts again.
pub trait TextAccess: Sync {
    /// Returns the text at a place, from 0, among the texts that are read again. It may be read into `buffer`. For a
    /// comparison, the place is the number of the candidate.
    fn text<'b>(&'b self, place: u32, buffer: &'b mut Vec<u8>) -> Result<Text<'b>>;
}
