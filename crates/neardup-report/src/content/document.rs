//! A document as the page shows it.

use serde::{Deserialize, Serialize};

/// One document of a shown pair.
///
/// `text` may be a beginning of the whole text; `bytes` is the length of the whole, so that the page
/// can say what is missing. `row` counts from 1 within `source`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownDocument {
    /// The user's own id; `None` when a document is known by source and row only.
    pub id: Option<String>,
    /// The file or stream it was read from.
    pub source: String,
    /// Its place in the source, from 1.
    pub row: u64,
    /// Its text, or a beginning of it.
    pub text: String,
    /// Bytes of the whole text in UTF-8.
    pub bytes: u64,
}

impl ShownDocument {
    /// The given id, or `source:row`.
    pub fn name(&self) -> String {
        match &self.id {
            Some(id) => id.clone(),
            None => format!("{}:{}", self.source, self.row),
        }
    }
}
