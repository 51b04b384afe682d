//! Rows of a table as bytes, as a digest takes them.

use neardup_core::measures::Overlap;

const NONE: u64 = u64::MAX;

/// Rows as bytes: a text is its length (u64) and its bytes, a missing text the length 2^64 - 1 alone, a number is u64, and a
/// missing number 2^64 - 1. All are little-endian.
#[derive(Default)]
pub struct RowBytes {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl RowBytes {
    /// Adds a number to the row.
    pub fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    /// Adds a missing number or text.
    pub fn none(&mut self) {
        self.number(NONE);
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.text_of(|bytes| bytes.extend_from_slice(text.as_bytes()));
    }

    /// Adds the text that `append` appends.
    pub fn text_of(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        self.number(0);
        append(&mut self.bytes);
        let len = (self.bytes.len() - start - size_of::<u64>()) as u64;
        self.bytes[start..start + size_of::<u64>()].copy_from_slice(&len.to_le_bytes());
    }

    /// Adds the counts of features of two documents, shared, left and right, which may be missing.
    pub fn overlap(&mut self, overlap: Option<Overlap>) {
        let counts = overlap.map_or([NONE; 3], |Overlap { shared, left, right }| [shared, left, right].map(u64::from));
        counts.into_iter().for_each(|count| self.number(count));
    }

    /// Ends the row.
    pub fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Returns the number of bytes of all rows.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Iterates over the rows that have ended.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(&start, &end)| &self.bytes[start..end])
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}
