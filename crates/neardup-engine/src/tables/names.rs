//! Names and places of the documents, which every table has.

use crate::documents::ids::Ids;
use crate::documents::signed::SignedCorpus;
use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::OffsetBuffer;
use neardup_core::util::ids::DocId;
use std::sync::Arc;

/// What is beside every table: the names and places of the documents.
pub struct TableNames<'a> {
    /// The corpus.
    pub signed: &'a SignedCorpus,
    /// What documents are called.
    pub ids: &'a Ids,
    /// The source of every document.
    pub source_of: &'a [u32],
    /// The row of every document in its source.
    pub rows: &'a [u64],
    /// The documents that results list: those of the input, without the ones set aside.
    pub documents: Vec<DocId>,
    /// Whether there is a reference; it adds a column.
    pub against: bool,
    /// Whether another number than what features share decides in some pass; it adds a column.
    pub decides: bool,
    /// How many passes there are; several add a column.
    pub passes: usize,
}

impl TableNames<'_> {
    /// The ids of some documents, as a column.
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

    /// The source of a document, as shown.
    pub fn source(&self, document: DocId) -> &str {
        &self.signed.catalogue.sources[self.source_of[document.index()] as usize]
    }

    /// Whether a document is of the input or of the reference.
    pub(crate) fn origin(&self, document: DocId) -> &'static str {
        if self.signed.is_reference(document) { "reference" } else { "input" }
    }
}
