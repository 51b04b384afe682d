//! Names: which document has which id and URL while documents are added one after another.

use crate::documents::document::{Document, serial_of};
use crate::snapshot::contents::Snapshot;
use crate::snapshot::known::ExactKey;
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use std::collections::HashMap;

impl Snapshot {
    /// Checks that each document may have its id when they are added in this order. Refuses an id because of its form, or because
    /// another document has it by then. Ignores that documents may expire meanwhile, by age or number.
    pub fn check_names(&self, documents: &[Document]) -> Result<()> {
        let mut names = ChangedNames { contents: self, ids: HashMap::new(), urls: HashMap::new() };
        (self.steps + 1..).zip(documents).try_for_each(|(serial, document)| names.take(document, serial))
    }
}

/// The names after some documents were added.
struct ChangedNames<'a> {
    contents: &'a Snapshot,
    /// For each id that changed: the document that has it now, if any.
    ids: HashMap<&'a [u8], Option<ExactKey<'a>>>,
    urls: HashMap<&'a [u8], ExactKey<'a>>,
}

impl<'a> ChangedNames<'a> {
    fn take(&mut self, document: &'a Document, serial: u64) -> Result<()> {
        let of_url = document.url.as_deref().and_then(|url| self.of_url(url));
        let of_id = document.id.as_deref().and_then(|id| self.of_id(id));
        if let Some(id) = document.id.as_ref().filter(|id| id.is_empty() || serial_of(id).is_some()) {
            return Err(Error::Data(format!(
                "id `{id}`: an id is not empty, and not `#` with a number, which names documents without one"
            )));
        }
        if of_url.or(of_id).is_some_and(|known| known.is(document)) {
            return Ok(());
        }
        if let (Some(id), Some(known)) = (&document.id, of_id.filter(|known| of_url.is_none_or(|old| old.serial != known.serial))) {
            let place = if known.serial > self.contents.steps { "given twice" } else { "in the index already" };
            return Err(Error::Data(format!(
                "id `{id}` is {place}, with another text, time or URL: remove it first, or add it under its URL to replace it"
            )));
        }
        let known = ExactKey::to_come(document, serial);
        self.ids.extend(of_url.map(|old| (old.id, None)));
        self.ids.insert(known.id, Some(known));
        self.urls.insert(known.url, known);
        Ok(())
    }

    fn of_id(&self, id: &'a str) -> Option<ExactKey<'a>> {
        let there = || self.contents.of_id(id).map(|number| self.there(number));
        self.ids.get(id.as_bytes()).copied().unwrap_or_else(there)
    }

    fn of_url(&self, url: &'a str) -> Option<ExactKey<'a>> {
        let there = || self.contents.of_url(url).map(|number| self.there(number));
        // an empty URL is no name
        if url.is_empty() { None } else { self.urls.get(url.as_bytes()).copied().or_else(there) }
    }

    fn there(&self, number: DocId) -> ExactKey<'a> {
        ExactKey::of(self.contents.index_state.document_table.row(number))
    }
}
