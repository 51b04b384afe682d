//! Rows of documents, in order, from the store: taken document by document.

use crate::Result;
use neardup_core::Error as Core;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, Store};
use std::io;
use std::iter::Peekable;

/// Rows that are read as they are taken.
pub struct ByDocument<'s, T> {
    rows: Peekable<Box<dyn Iterator<Item = io::Result<T>> + 's>>,
    document: fn(&T) -> DocId,
}

impl<'s, T: bytemuck::Pod> ByDocument<'s, T> {
    /// Rows of a list that ascends by `document`.
    pub fn new(rows: &'s List<T>, store: &'s Store, document: fn(&T) -> DocId) -> Self {
        Self::behind(rows, 0, store, document)
    }

    /// Those behind the first `start`, which were taken before.
    pub fn behind(rows: &'s List<T>, start: usize, store: &'s Store, document: fn(&T) -> DocId) -> Self {
        let rows: Box<dyn Iterator<Item = io::Result<T>> + 's> = Box::new(rows.values_from(store, start));
        ByDocument { rows: rows.peekable(), document }
    }

    /// The next document that has rows.
    pub fn next(&mut self) -> Option<DocId> {
        // What cannot be read comes with any document, and is reported then.
        self.rows.peek().map(|row| row.as_ref().map_or(DocId::FIRST, self.document))
    }

    /// The rows of a document behind those that were taken; rows of documents before it are left out.
    pub fn skip_to(&mut self, document: DocId) -> Result<Vec<T>> {
        while let Some(next) = self.next().filter(|&next| next < document) {
            self.take(next)?;
        }
        self.take(document)
    }

    /// The rows of a document that is not behind the next.
    pub fn take(&mut self, document: DocId) -> Result<Vec<T>> {
        let of = self.document;
        let own = |row: &io::Result<T>| row.as_ref().map_or(true, |row| of(row) == document);
        let rows = std::iter::from_fn(|| self.rows.next_if(own)).collect::<io::Result<_>>();
        Ok(rows.map_err(Core::from)?)
    }
}
