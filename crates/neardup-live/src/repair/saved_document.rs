//! A document that was read from the files of an index.

use crate::documents::document::{Document, NO_TIME};
use crate::documents::row::DocumentRow;
use crate::storage::sections::Sections;
use std::ops::Range;

/// A document with its text or the place of its text.
#[derive(Clone)]
pub struct SavedDocument {
    /// When it arrived, in Unix seconds.
    pub arrived: i64,
    id: Box<str>,
    url: Box<str>,
    time: i64,
    text: SavedText,
}

/// A text.
#[derive(Clone)]
enum SavedText {
    /// Bytes of an open file.
    Filed(Sections, Range<usize>),
    Own(Box<str>),
    /// A text in another shard, with the digest of its bytes.
    Elsewhere(u128),
}

impl SavedDocument {
    /// Creates a document from one that was added.
    pub fn new(arrived: i64, document: Document) -> SavedDocument {
        SavedDocument {
            arrived,
            id: document.id.unwrap_or_default().into(),
            url: document.url.unwrap_or_default().into(),
            time: document.time.unwrap_or(NO_TIME),
            text: SavedText::Own(document.text.into()),
        }
    }

    /// Creates a document from its record, with the bytes `place` of a file as its text; `None` if a name or the text is not UTF-8.
    pub fn filed(record: &DocumentRow<'_>, file: &Sections, place: Range<usize>) -> Option<SavedDocument> {
        str::from_utf8(&file.bytes()[place.clone()]).ok()?;
        SavedDocument::with(record, SavedText::Filed(file.clone(), place))
    }

    /// Creates a document from its record, with a corrected text; `None` if a name is not UTF-8.
    pub fn mended(record: &DocumentRow<'_>, text: String) -> Option<SavedDocument> {
        SavedDocument::with(record, SavedText::Own(text.into()))
    }

    /// Creates a document from its record, whose text is in another shard; `None` if a name is not UTF-8.
    pub fn elsewhere(record: &DocumentRow<'_>) -> Option<SavedDocument> {
        SavedDocument::with(record, SavedText::Elsewhere(record.raw))
    }

    fn with(record: &DocumentRow<'_>, text: SavedText) -> Option<SavedDocument> {
        let name = |bytes| str::from_utf8(bytes).ok().map(Box::from);
        Some(SavedDocument { arrived: record.arrived, id: name(record.id)?, url: name(record.url)?, time: record.time, text })
    }

    /// Its id; empty if it has none.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its URL; empty if it has none.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The digest of its text, if that is in another shard.
    pub fn missing(&self) -> Option<u128> {
        if let SavedText::Elsewhere(raw) = self.text { Some(raw) } else { None }
    }

    /// Returns the document, with an empty text if that is in another shard.
    pub fn document(&self) -> Document {
        let some = |name: &str| Some(name).filter(|name| !name.is_empty()).map(str::to_owned);
        let text = match &self.text {
            SavedText::Filed(file, place) => String::from_utf8_lossy(&file.bytes()[place.clone()]).into_owned(),
            SavedText::Own(text) => text.to_string(),
            SavedText::Elsewhere(_) => String::new(),
        };
        Document { id: some(&self.id), url: some(&self.url), time: Some(self.time).filter(|&time| time != NO_TIME), text }
    }
}
