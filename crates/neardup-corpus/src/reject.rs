use std::fmt;

use serde::{Deserialize, Serialize};

use crate::unit::PlaceUnit;

/// A record that could not be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// The source as shown.
    pub source: String,
    /// What `row` counts.
    pub unit: PlaceUnit,
    /// The place in the source, from 1; 1 for a file that is one document.
    pub row: u64,
    /// Where the record begins in the source (bytes when decompressed, or rows of a table from 0).
    pub offset: u64,
    /// How long the record is with its line end, in the unit of `offset`; one more than could be read where a
    /// compressed stream breaks off.
    pub len: u64,
    /// What is wrong with it.
    pub reason: String,
    /// Its first 120 characters, with U+FFFD for what is not UTF-8.
    pub excerpt: String,
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.unit.place(&self.source, self.row), self.reason)?;
        if self.excerpt.is_empty() { Ok(()) } else { write!(f, ", in: {}", self.excerpt) }
    }
}

/// A reject before the lines of the chunks ahead of it are counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RecordError {
    /// From 1 at the start of the chunk.
    pub row: u64,
    pub offset: u64,
    pub len: u64,
    pub reason: String,
    pub excerpt: String,
    /// Which of the given files; see [`crate::Record::file`].
    pub file: u32,
}

impl RecordError {
    pub fn new(row: u64, offset: u64, record: &[u8], reason: impl Into<String>) -> RecordError {
        let len = record.len() as u64;
        RecordError { row, offset, len, reason: reason.into(), excerpt: excerpt(record), file: 0 }
    }

    /// Reaches one byte beyond what could be read: the rest of the source is unknown.
    pub fn open_ended(self) -> RecordError {
        RecordError { len: self.len + 1, ..self }
    }

    pub fn resolve(self, name: &str, unit: PlaceUnit, rows_before: u64) -> Reject {
        let RecordError { row, offset, len, reason, excerpt, .. } = self;
        Reject { source: name.to_owned(), unit, row: rows_before + row, offset, len, reason, excerpt }
    }
}

const EXCERPT: usize = 120;

/// The first 120 characters of a record, without its line end and with U+FFFD for what is not UTF-8.
pub fn excerpt(record: &[u8]) -> String {
    // A character has at most four bytes.
    let head = &record[..record.len().min(4 * EXCERPT)];
    let text = String::from_utf8_lossy(head);
    text.trim_end_matches(['\n', '\r']).chars().take(EXCERPT).collect()
}

/// Why a record that is too long is rejected.
pub(crate) fn too_long(longest: usize) -> String {
    format!("the record is longer than {longest} bytes, the most that is allowed")
}
