//! Names and places of the documents, which every table has.

use crate::documents::ids::Ids;
use crate::documents::signed::Signed;
use crate::tables::table::VALUE;
use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::DataType;
use std::sync::Arc;

/// What stands beside every table: the names and places of the documents.
pub struct Names<'a> {
    /// The corpus.
    pub signed: &'a Signed,
    /// What documents are called.
    pub ids: &'a Ids,
    /// The source of every document.
    pub source_of: &'a [u32],
    /// The row of every document in its source.
    pub rows: &'a [u64],
    /// The documents that results list: those of the input, without the ones set aside.
    pub documents: Vec<u32>,
    /// Whether there is a reference; it adds a column.
    pub against: bool,
    /// Whether another number than what features share decides in some pass; it adds a column.
    pub decides: bool,
    /// How many passes there are; several add a column.
    pub passes: usize,
}

impl Names<'_> {
    /// The ids of some documents, as a column.
    pub fn id(&self, documents: impl Iterator<Item = u32>) -> ArrayRef {
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
    pub fn source(&self, document: u32) -> &str {
        &self.signed.catalogue.sources[self.source_of[document as usize] as usize]
    }

    /// The same of a table with the evidence of each decision.
    pub(crate) fn extra_of_evidence(&self, of_documents: bool) -> Vec<(&'static str, DataType, bool)> {
        let value = self.decides.then_some((VALUE, DataType::Float64, true));
        value.into_iter().chain(self.extra(of_documents)).collect()
    }

    /// The columns that only some runs have, of a table of documents or of pairs.
    pub(crate) fn extra(&self, of_documents: bool) -> Vec<(&'static str, DataType, bool)> {
        let original_in = (of_documents && self.against).then_some(("original_in", DataType::Utf8, false));
        let pass = (self.passes > 1).then_some(("pass", DataType::UInt32, of_documents));
        original_in.into_iter().chain(pass).collect()
    }

    pub(crate) fn origin(&self, document: u32) -> &'static str {
        if self.signed.is_reference(document) { "reference" } else { "input" }
    }
}
