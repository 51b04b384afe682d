//! Names and places of the documents, which every table has.

use crate::documents::ids::Ids;
use crate::documents::signed::SignedCorpus;
use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::OffsetBuffer;
use neardup_core::util::ids::DocId;
use std::sync::Arc;

/// Names and places of the documents, for every table.
pub struct TableNames<'a> {
    /// The corpus.
    pub signed: &'a SignedCorpus,
    /// Ids of the documents.
    pub ids: &'a Ids,
    /// Source of every document.
    pub source_of: &'a [u32],
    /// Row of every document in its source.
    pub rows: &'a [u64],
    /// Documents that results list: those of the input, except the ones set aside.
    pub documents: Vec<DocId>,
    /// Whether there is a reference; this adds a column.
    pub against: bool,
    /// Whether in some pass another number than the share of features decides; this adds a column.
    pub decides: bool,
    /// Number of passes; several add a column.
    pub passes: usize,
    /// Whether documents may have URLs, because there are web archives or a field of URLs; this adds columns.
    pub has_urls: bool,
    /// Whether there are web archives; this adds columns.
    pub has_archives: bool,
    /// Whether the values of the first signature have levels; this adds a column to sketches.
    pub has_levels: bool,
}

impl TableNames<'_> {
    /// Returns the ids of some documents, as a column.
    pub fn id(&self, documents: impl Iterator<Item = DocId>) -> ArrayRef {
        let mut bytes = Vec::new();
        let lengths: Vec<usize> = documents
            .map(|document| {
                let start = bytes.len();
                self.ids.append(document, &mut bytes);
                bytes.len() - start
            })
            .collect();
        Arc::new(StringArray::new(OffsetBuffer::from_lengths(lengths), bytes.into(), None))
    }

    /// Returns the source of a document, as shown.
    pub fn source(&self, document: DocId) -> &str {
        &self.signed.catalogue.sources[self.source_of[document.index()] as usize]
    }

    /// Returns whether a document is of the input or of the reference.
    pub(crate) fn origin(&self, document: DocId) -> &'static str {
        if self.signed.is_reference(document) { "reference" } else { "input" }
    }
}
