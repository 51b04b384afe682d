//! A document that the files of an index give.

use crate::documents::document::{Document, NO_TIME};
use crate::documents::row::Row;
use crate::storage::sections::Sections;
use std::ops::Range;

/// A document, with its text or the place of that.
#[derive(Clone)]
pub struct Saved {
    /// When it arrived, in Unix seconds.
    pub arrived: i64,
    id: Box<str>,
    url: Box<str>,
    time: i64,
    text: Words,
}

/// A text.
#[derive(Clone)]
enum Words {
    /// Bytes of an open file.
    Filed(Sections, Range<usize>),
    Own(Box<str>),
    /// In another shard; the digest of its bytes.
    Elsewhere(u128),
}

impl Saved {
    /// A document that came.
    pub fn new(arrived: i64, document: Document) -> Saved {
        Saved {
            arrived,
            id: document.id.unwrap_or_default().into(),
            url: document.url.unwrap_or_default().into(),
            time: document.time.unwrap_or(NO_TIME),
            text: Words::Own(document.text.into()),
        }
    }

    /// A document with this record, and the text that is in these bytes of a file; None where names or text are no UTF-8.
    pub fn filed(record: &Row<'_>, file: &Sections, place: Range<usize>) -> Option<Saved> {
        str::from_utf8(&file.bytes()[place.clone()]).ok()?;
        Saved::with(record, Words::Filed(file.clone(), place))
    }

    /// A document with this record, and a text that was mended.
    pub fn mended(record: &Row<'_>, text: String) -> Option<Saved> {
        Saved::with(record, Words::Own(text.into()))
    }

    /// A document with this record, whose text is in another shard.
    pub fn elsewhere(record: &Row<'_>) -> Option<Saved> {
        Saved::with(record, Words::Elsewhere(record.raw))
    }

    fn with(record: &Row<'_>, text: Words) -> Option<Saved> {
        let name = |bytes| str::from_utf8(bytes).ok().map(Box::from);
        Some(Saved { arrived: record.arrived, id: name(record.id)?, url: name(record.url)?, time: record.time, text })
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
        if let Words::Elsewhere(raw) = self.text { Some(raw) } else { None }
    }

    /// The document; without a text where that is in another shard.
    pub fn document(&self) -> Document {
        let some = |name: &str| Some(name).filter(|name| !name.is_empty()).map(str::to_owned);
        let text = match &self.text {
            Words::Filed(file, place) => String::from_utf8_lossy(&file.bytes()[place.clone()]).into_owned(),
            Words::Own(text) => text.to_string(),
            Words::Elsewhere(_) => String::new(),
        };
        Document { id: some(&self.id), url: some(&self.url), time: Some(self.time).filter(|&time| time != NO_TIME), text }
    }
}
