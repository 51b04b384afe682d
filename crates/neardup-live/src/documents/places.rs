//! Places: the byte ranges of a segment's texts in the files that contain them.

use crate::documents::place_columns::{ENDS, STARTS};
use crate::documents::texts::StoredTexts;
use crate::storage::sections::Sections;
use crate::storage::sections::column::MappedColumn;
use crate::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// The places of the texts of a segment, by document. A place is a range of bytes in the concatenation of the segment's files of
/// texts. Places ascend. Between them may be texts of documents that were removed.
pub struct TextPlaces {
    files: Vec<Arc<StoredTexts>>,
    /// Start of each file in the concatenation, and the end of the last one.
    bounds: Vec<u64>,
    starts: MappedColumn<u64>,
    ends: MappedColumn<u64>,
}

impl TextPlaces {
    /// Opens the places that a segment stores of its texts, which are in `files`.
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

    /// Whether the places ascend without overlap, and each is within one file.
    fn fit(&self) -> bool {
        let mut free = 0;
        let mut fits = |place: Range<u64>| {
            let follows = free <= place.start && place.start <= place.end && place.end <= self.bytes();
            free = place.end;
            follows && (place.is_empty() || place.end <= self.bounds[self.file(place.start) + 1])
        };
        self.starts.len() == self.ends.len() && (0..self.count()).all(|document| fits(self.of(document)))
    }

    /// Number of documents.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The files of texts, in order.
    pub fn files(&self) -> &[Arc<StoredTexts>] {
        &self.files
    }

    /// Number of bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.bounds[self.files.len()]
    }

    /// Returns the end of a file in the concatenation.
    pub fn end(&self, file: usize) -> u64 {
        self.bounds[file + 1]
    }

    /// Returns the number of bytes of the texts of the documents that `counts` accepts.
    pub fn counted_bytes(&self, counts: impl Fn(u32) -> bool) -> u64 {
        let documents = (0..self.count()).filter(|&document| counts(document as u32));
        documents.map(|document| self.of(document)).map(|place| place.end - place.start).sum()
    }

    /// Returns the place of a document's text.
    #[inline]
    pub fn of(&self, document: usize) -> Range<u64> {
        self.starts[document]..self.ends[document]
    }

    /// Returns the text of a document.
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

    /// Returns the number of the file that contains the byte at `byte`.
    #[inline]
    pub fn file(&self, byte: u64) -> usize {
        self.bounds.partition_point(|&begin| begin <= byte) - 1
    }
}
