use std::borrow::Cow;

use neardup_text::Text;

use crate::records::fields::MissingFields;
use crate::records::place::{SourceSpan, TextPlace};

/// One document as it was read.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// Where the record begins, in [`crate::PlaceUnit`]s counted from 1 at the start of its *chunk*; add
    /// [`crate::Read::rows_before`] of the chunk for the row in the source. 1 for a file that is one document.
    pub row: u64,
    /// The record in its source with its line end: what the kept output leaves out when it is dropped.
    pub span: SourceSpan,
    /// Where the text can be fetched again.
    pub place: TextPlace,
    /// The text.
    pub text: Text<'a>,
    /// The id, when a field for it was named: then every record has one.
    pub id: Option<Cow<'a, str>>,
    /// The address, when a field for it was named and the record has it.
    pub url: Option<Cow<'a, str>>,
    /// Microseconds since 1970-01-01T00:00:00Z, when a field for it was named and the record has it.
    pub time: Option<i64>,
    /// The position among the preferred values, their number for any other value, 0 without a preference.
    pub rank: u32,
    /// Which of the named fields the record lacks.
    pub lacks: MissingFields,
    /// Which of the given files this is, counted from 0; always 0 except in [`crate::read_together`].
    pub file: u32,
}

/// Some records of one source that follow each other.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// The position of the chunk in its reading, from 0 and without gaps; it does not depend on threads.
    pub number: usize,
    /// How many rows of the source it takes.
    pub rows: u64,
    /// The records in the order of the source; none for a chunk that lies within one long record.
    pub records: Vec<Record<'a>>,
    /// Whether a very long record is among them, for which room was made that others will not need.
    pub is_large: bool,
}

/// Returns the room of a used list for records of another lifetime; what was in it is gone.
pub(crate) fn reuse<'b>(mut records: Vec<Record<'_>>) -> Vec<Record<'b>> {
    records.clear();
    // Nothing is left to convert, and the standard library keeps the allocation as the layouts agree.
    records.into_iter().map(|_| unreachable!("the list was emptied")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_is_kept() {
        let records: Vec<Record<'_>> = Vec::with_capacity(100);
        let room = records.as_ptr().addr();
        let reused: Vec<Record<'static>> = reuse(records);
        assert_eq!((reused.as_ptr().addr(), reused.capacity(), reused.len()), (room, 100, 0));
    }
}
