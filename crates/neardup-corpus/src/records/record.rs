use std::borrow::Cow;

use neardup_text::Text;

use crate::records::missing::MissingFields;
use crate::records::place::{SourceSpan, TextPlace};

/// One document, as read from its source.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// Where the record begins, in [`crate::PlaceUnit`]s counted from 1 at the start of its *chunk*. Add
    /// [`crate::Read::rows_before`] of the chunk to get the row in the source. It is 1 for a file that is one document.
    pub row: u64,
    /// Span of the record in its source, with its line end. The kept output omits it if the record is dropped.
    pub span: SourceSpan,
    /// Place from which the text can be fetched again.
    pub place: TextPlace,
    /// The text.
    pub text: Text<'a>,
    /// Id, if a field for it was named. In that case every record has one.
    pub id: Option<Cow<'a, str>>,
    /// Address, if a field for it was named and the record has it.
    pub url: Option<Cow<'a, str>>,
    /// Time in microseconds since 1970-01-01T00:00:00Z, if a field for it was named and the record has it.
    pub time: Option<i64>,
    /// Place of its number in the order of numbers, if a field for it was named and the record has it.
    pub number: Option<i64>,
    /// Group, if a field for it was named and the record has it.
    pub group: Option<Cow<'a, str>>,
    /// Joint rank of its values among the preferred ones: 0 is best, and 0 without preferences.
    pub rank: u32,
    /// Named fields that the record lacks.
    pub lacks: MissingFields,
    /// Index of the file among those read, counted from 0. It is always 0 except in [`crate::read_together`].
    pub file: u32,
}

/// Consecutive records of one source.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// Position of the chunk in its reading, counted from 0 without gaps. It does not depend on the number of threads.
    pub number: usize,
    /// Number of rows of the source in the chunk.
    pub rows: u64,
    /// Records in the order of the source. A chunk inside one long record has none.
    pub records: Vec<Record<'a>>,
    /// Whether the chunk contains a very long record, whose buffers are too large to keep for other chunks.
    pub is_large: bool,
}

/// Empties a list and returns its allocation for records of another lifetime.
pub(crate) fn reuse<'b>(mut records: Vec<Record<'_>>) -> Vec<Record<'b>> {
    records.clear();
    // Nothing is left to convert, and the standard library reuses the allocation because the layouts agree.
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
