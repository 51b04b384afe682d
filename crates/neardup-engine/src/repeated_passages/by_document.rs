//! Rows of documents, read from the store in order, document by document.

use crate::Result;
use neardup_core::Error as Core;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, Store};
use std::io;
use std::iter::Peekable;

/// Rows that are read from the store as they are taken.
pub struct ByDocument<'s, T> {
    rows: Peekable<Box<dyn Iterator<Item = io::Result<T>> + 's>>,
    document: fn(&T) -> DocId,
}

impl<'s, T: bytemuck::Pod> ByDocument<'s, T> {
    /// Reads the rows of a list that ascends by `document`.
    pub fn new(rows: &'s List<T>, store: &'s Store, document: fn(&T) -> DocId) -> Self {
        Self::behind(rows, 0, store, document)
    }

    /// Reads the rows after the first `start`, which were taken before.
    pub fn behind(rows: &'s List<T>, start: usize, store: &'s Store, document: fn(&T) -> DocId) -> Self {
        let rows: Box<dyn Iterator<Item = io::Result<T>> + 's> = Box::new(rows.values_from(store, start));
        ByDocument { rows: rows.peekable(), document }
    }

    /// Returns the next document that has rows.
    pub fn next(&mut self) -> Option<DocId> {
        // A read error belongs to no document. It is reported when the rows of the returned document are taken.
        self.rows.peek().map(|row| row.as_ref().map_or(DocId::FIRST, self.document))
    }

    /// Takes the remaining rows of a document, and skips the rows of all documents before it.
    pub fn skip_to(&mut self, document: DocId) -> Result<Vec<T>> {
        while let Some(next) = self.next().filter(|&next| next < document) {
            self.take(next)?;
        }
        self.take(document)
    }

    /// Takes the rows of `document`, which must not come after the next document with rows; empty if it comes before.
    pub fn take(&mut self, document: DocId) -> Result<Vec<T>> {
        let of = self.document;
        let own = |row: &io::Result<T>| row.as_ref().map_or(true, |row| of(row) == document);
        let rows = std::iter::from_fn(|| self.rows.next_if(own)).collect::<io::Result<_>>();
        Ok(rows.map_err(Core::from)?)
    }
}
