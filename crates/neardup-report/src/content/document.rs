//! A document, as the page shows it.

use serde::{Deserialize, Serialize};

/// One document of a shown pair.
///
/// `text` may be only the beginning of the text. `bytes` is the length of the whole text, so that the page can show what is
/// missing. `row` counts from 1 within `source`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownDocument {
    /// The user's own id; `None` if the document is identified by source and row only.
    pub id: Option<String>,
    /// File or stream that it was read from.
    pub source: String,
    /// Its place in the source, from 1.
    pub row: u64,
    /// Its text, or the beginning of it.
    pub text: String,
    /// Number of bytes of the whole text in UTF-8.
    pub bytes: u64,
}

impl ShownDocument {
    /// Returns whether its whole text is there.
    pub fn is_whole(&self) -> bool {
        self.text.len() as u64 >= self.bytes
    }

    /// Returns the given id, or `source:row`.
    pub fn name(&self) -> String {
        match &self.id {
            Some(id) => id.clone(),
            None => format!("{}:{}", self.source, self.row),
        }
    }
}
