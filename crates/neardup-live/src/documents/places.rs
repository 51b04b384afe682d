//! Places: where the texts of a segment are in the files that hold them.

use crate::documents::place_columns::{ENDS, STARTS};
use crate::documents::texts::StoredTexts;
use crate::storage::sections::Sections;
use crate::storage::sections::column::MappedColumn;
use crate::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// The places of the texts of a segment, by document: bytes of its files of texts, as if these lay end to end. They ascend; between
/// them are texts that no document has any more.
pub struct TextPlaces {
    files: Vec<Arc<StoredTexts>>,
    /// Where each file begins, and where the last one ends.
    bounds: Vec<u64>,
    starts: MappedColumn<u64>,
    ends: MappedColumn<u64>,
}

impl TextPlaces {
    /// The places that a segment speaks of its texts, which are in these files.
    pub fn open(sections: &Sections, files: Vec<Arc<StoredTexts>>) -> Result<Self> {
        let mut bounds = vec![0];
        bounds.extend(files.iter().scan(0, |end, texts| {
            *end += texts.bytes().len() as u64;
            Some(*end)
        }));
        let places = TextPlaces { files, bounds, starts: sections.column(STARTS)?, ends: sections.column(ENDS)? };
        let damaged = || Error::damaged(sections.path(), "its texts are not where it says");
        places.fit().then_some(places).ok_or_else(damaged)
    }

    /// Whether each text follows the one before, within one file.
    fn fit(&self) -> bool {
        let mut free = 0;
        let mut fits = |place: Range<u64>| {
            let follows = free <= place.start && place.start <= place.end && place.end <= self.bytes();
            free = place.end;
            follows && (place.is_empty() || place.end <= self.bounds[self.file(place.start) + 1])
        };
        self.starts.len() == self.ends.len() && (0..self.count()).all(|document| fits(self.of(document)))
    }

    /// Of how many documents.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The files, in order.
    pub fn files(&self) -> &[Arc<StoredTexts>] {
        &self.files
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.bounds[self.files.len()]
    }

    /// Where a file ends.
    pub fn end(&self, file: usize) -> u64 {
        self.bounds[file + 1]
    }

    /// Those of the texts of documents that `counts`.
    pub fn held(&self, counts: impl Fn(u32) -> bool) -> u64 {
        let documents = (0..self.count()).filter(|&document| counts(document as u32));
        documents.map(|document| self.of(document)).map(|place| place.end - place.start).sum()
    }

    /// The place of a document's text.
    #[inline]
    pub fn of(&self, document: usize) -> Range<u64> {
        self.starts[document]..self.ends[document]
    }

    /// The text of a document.
    #[inline]
    pub fn text(&self, document: usize) -> &[u8] {
        let place = self.of(document);
        if place.is_empty() {
            return &[];
        }
        let file = self.file(place.start);
        let begin = self.bounds[file];
        &self.files[file].bytes()[(place.start - begin) as usize..(place.end - begin) as usize]
    }

    /// The file of this byte.
    #[inline]
    pub fn file(&self, byte: u64) -> usize {
        self.bounds.partition_point(|&begin| begin <= byte) - 1
    }
}
