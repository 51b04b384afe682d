//! The test whether two documents are exactly the same.

use crate::documents::document::{Document, NO_TIME};
use crate::documents::row::DocumentRow;
use neardup_text::Text;

/// The fields that must be equal for two documents to be exactly the same.
#[derive(Clone, Copy)]
pub struct ExactKey<'a> {
    /// Number of the step that added the document, or will add it.
    pub serial: u64,
    /// Its id.
    pub id: &'a [u8],
    /// Its URL.
    pub url: &'a [u8],
    time: i64,
    text: &'a [u8],
    /// Digest of the text, if that is in another shard.
    elsewhere: Option<u128>,
}

impl<'a> ExactKey<'a> {
    /// Returns the fields of a document in the index.
    pub fn of(row: DocumentRow<'a>) -> Self {
        let elsewhere = (!row.is_whole()).then_some(row.raw);
        ExactKey { serial: row.serial, id: row.id, url: row.url, time: row.time, text: row.text, elsewhere }
    }

    /// Returns the fields of a document that step `serial` will add.
    pub fn to_come(document: &'a Document, serial: u64) -> Self {
        let bytes = |name: &'a Option<String>| name.as_deref().unwrap_or_default().as_bytes();
        let time = document.time.unwrap_or(NO_TIME);
        ExactKey { serial, id: bytes(&document.id), url: bytes(&document.url), time, text: document.text.as_bytes(), elsewhere: None }
    }

    /// Whether `document` is exactly this one. Fields that `document` does not set are ignored.
    pub fn is(&self, document: &Document) -> bool {
        let has = |given: &Option<String>, bytes: &[u8]| given.as_ref().is_none_or(|given| given.as_bytes() == bytes);
        let has_names = has(&document.id, self.id) && has(&document.url, self.url);
        let has_text = || match self.elsewhere {
            Some(digest) => Text::Plain(document.text.as_bytes()).digest() == digest,
            None => self.text == document.text.as_bytes(),
        };
        has_names && document.time.is_none_or(|time| time == self.time) && has_text()
    }
}
