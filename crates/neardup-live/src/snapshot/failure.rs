//! Segments that could not be written.

use crate::Error;

/// A segment that could not be written, for lack of room as a rule. What was to be in it stays where it is, in memory and in
/// the log or in the segments before.
pub struct FlushFailure {
    /// Why.
    pub error: Error,
    /// How many documents were in memory then.
    pub documents: u32,
    /// The bytes of their texts.
    pub bytes: usize,
}
