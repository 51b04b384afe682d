//! A document that the files of an index give.

use crate::documents::document::{Document, NO_TIME};
use crate::documents::row::DocumentRow;
use crate::storage::sections::Sections;
use std::ops::Range;

/// A document, with its text or the place of that.
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
    /// In another shard; the digest of its bytes.
    Elsewhere(u128),
}

impl SavedDocument {
    /// A document that came.
    pub fn new(arrived: i64, document: Document) -> SavedDocument {
        SavedDocument {
            arrived,
            id: document.id.unwrap_or_default().into(),
            url: document.url.unwrap_or_default().into(),
            time: document.time.unwrap_or(NO_TIME),
            text: SavedText::Own(document.text.into()),
        }
    }

    /// A document with this record, and the text that is in these bytes of a file; None where names or text are no UTF-8.
    pub fn filed(record: &DocumentRow<'_>, file: &Sections, place: Range<usize>) -> Option<SavedDocument> {
        str::from_utf8(&file.bytes()[place.clone()]).ok()?;
        SavedDocument::with(record, SavedText::Filed(file.clone(), place))
    }

    /// A document with this record, and a text that was mended.
    pub fn mended(record: &DocumentRow<'_>, text: String) -> Option<SavedDocument> {
        SavedDocument::with(record, SavedText::Own(text.into()))
    }

    /// A document with this record, whose text is in another shard.
    pub fn elsewhere(record: &DocumentRow<'_>) -> Option<SavedDocument> {
        SavedDocument::with(record, SavedText::Elsewhere(record.raw))
    }

    fn with(record: &DocumentRow<'_>, text: SavedText) -> Option<SavedDocument> {
        let name = |bytes| str::from_utf8(bytes).ok().map(Box::from);
        Some(SavedDocument { arrived: record.arrived, id: name(record.id)?, url: name(record.url)?, time: record.time, text })
    }

    /// Its id; empty where it has none.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its URL; empty where it has none.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The digest of the text that is missing here, when it is in another shard.
    pub fn missing(&self) -> Option<u128> {
        if let SavedText::Elsewhere(raw) = self.text { Some(raw) } else { None }
    }

    /// The document; without a text where that is in another shard.
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
