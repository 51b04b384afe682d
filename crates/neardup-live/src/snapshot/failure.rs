//! Failures to write a segment.

use crate::Error;

/// A failure to write a segment, mostly for lack of disk space. Its documents stay where they are: in memory and in the log, or in
/// the segments before.
pub struct FlushFailure {
    /// The error.
    pub error: Error,
    /// Number of documents in memory at that time.
    pub documents: u32,
    /// Number of bytes of their texts.
    pub bytes: usize,
}
