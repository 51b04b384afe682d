use std::fmt;

use serde::{Deserialize, Serialize};

use crate::unit::PlaceUnit;

/// A record that cannot be used, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// Name of the source, as messages show it.
    pub source: String,
    /// Unit of `row`.
    pub unit: PlaceUnit,
    /// Place in the source, counted from 1. It is 1 for a file that is one document.
    pub row: u64,
    /// Where the record begins in the source: in bytes when decompressed, or in rows of a table, counted from 0.
    pub offset: u64,
    /// Length of the record with its line end, in the unit of `offset`. If a compressed stream breaks off, it is the number of
    /// bytes read plus one. If a file ends too early, it is 1.
    pub len: u64,
    /// Reason for the reject.
    pub reason: String,
    /// First 120 characters of the record. U+FFFD replaces invalid UTF-8.
    pub excerpt: String,
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.unit.place(&self.source, self.row), self.reason)?;
        if self.excerpt.is_empty() { Ok(()) } else { write!(f, ", in: {}", self.excerpt) }
    }
}

/// A reject whose row is still relative to its chunk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RecordError {
    /// Counted from 1 at the start of the chunk.
    pub row: u64,
    pub offset: u64,
    pub len: u64,
    pub reason: String,
    pub excerpt: String,
    /// Index of its file; see [`crate::Record::file`].
    pub file: u32,
}

impl RecordError {
    pub fn new(row: u64, offset: u64, record: &[u8], reason: impl Into<String>) -> RecordError {
        let len = record.len() as u64;
        RecordError { row, offset, len, reason: reason.into(), excerpt: excerpt(record), file: 0 }
    }

    /// Extends the span to one byte after what could be read: the rest of the source is unknown.
    pub fn open_ended(self) -> RecordError {
        RecordError { len: self.len + 1, ..self }
    }

    pub fn resolve(self, name: &str, unit: PlaceUnit, rows_before: u64) -> Reject {
        let RecordError { row, offset, len, reason, excerpt, .. } = self;
        Reject { source: name.to_owned(), unit, row: rows_before + row, offset, len, reason, excerpt }
    }
}

const EXCERPT: usize = 120;
/// Number of bytes that have an excerpt: a character has at most four.
pub(crate) const EXCERPT_BYTES: usize = 4 * EXCERPT;

/// Returns the first 120 characters of a record without its line end. U+FFFD replaces invalid UTF-8.
pub fn excerpt(record: &[u8]) -> String {
    let head = &record[..record.len().min(EXCERPT_BYTES)];
    let text = String::from_utf8_lossy(head);
    text.trim_end_matches(['\n', '\r']).chars().take(EXCERPT).collect()
}

/// Returns the reason for rejecting a record that is too long.
pub(crate) fn too_long(longest: usize) -> String {
    format!("the record is longer than {longest} bytes, the most that is allowed")
}
