//! Ids: the names of documents, and their order.

use neardup_core::scheme::PUBLIC_SEED;
use neardup_core::util::ids::DocId;
use neardup_core::util::splitmix::SplitMix;
use neardup_text::fingerprint::token;
use rayon::prelude::*;
use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// The ids of all documents.
#[derive(Debug)]
pub struct Ids {
    names: IdForm,
}

#[derive(Debug)]
enum IdForm {
    Given { text: String, ends: Vec<u64> },
    Places { sources: Vec<String>, source_of: Arc<Vec<u32>>, rows: Arc<Vec<u64>> },
}

impl Ids {
    /// Returns ids from the data: `text` contains all of them in a row, `ends` has the end of each.
    pub fn given(text: String, ends: Vec<u64>) -> Self {
        Ids { names: IdForm::Given { text, ends } }
    }

    /// Returns ids that consist of source and row, `SOURCE:ROW`.
    pub fn places(sources: Vec<String>, source_of: Arc<Vec<u32>>, rows: Arc<Vec<u64>>) -> Self {
        Ids { names: IdForm::Places { sources, source_of, rows } }
    }

    /// Returns the id of a document.
    pub fn get(&self, document: DocId) -> Cow<'_, str> {
        let document = document.index();
        match &self.names {
            IdForm::Given { text, ends } => Cow::Borrowed(&text[range(ends, document)]),
            IdForm::Places { sources, source_of, rows } => {
                Cow::Owned(format!("{}:{}", sources[source_of[document] as usize], rows[document]))
            }
        }
    }

    /// Appends the id of a document.
    pub fn append(&self, document: DocId, out: &mut Vec<u8>) {
        match &self.names {
            IdForm::Given { .. } => out.extend_from_slice(self.bytes(document.index())),
            IdForm::Places { sources, source_of, rows } => {
                out.extend_from_slice(sources[source_of[document.index()] as usize].as_bytes());
                // Writing to memory cannot fail.
                let _ = write!(out, ":{}", rows[document.index()]);
            }
        }
    }

    /// Returns the given id as bytes; empty for an id that consists of source and row.
    pub fn bytes(&self, document: usize) -> &[u8] {
        match &self.names {
            IdForm::Given { text, ends } => &text.as_bytes()[range(ends, document)],
            IdForm::Places { .. } => &[],
        }
    }

    /// Returns a hash of the id, by which documents are sampled. It does not depend on the position of the document.
    pub fn hash(&self, document: DocId) -> u64 {
        match &self.names {
            IdForm::Given { .. } => token(self.bytes(document.index()), PUBLIC_SEED),
            IdForm::Places { sources, source_of, rows } => {
                let source = &sources[source_of[document.index()] as usize];
                SplitMix::new(token(source.as_bytes(), PUBLIC_SEED) ^ rows[document.index()]).draw()
            }
        }
    }

    /// Whether ids come from the data.
    pub fn are_given(&self) -> bool {
        matches!(self.names, IdForm::Given { .. })
    }

    /// Returns all documents in the order of their ids, equal ids in input order. Given ids are compared as bytes. An id of
    /// source and row is compared as that pair, which is input order.
    pub fn order(&self) -> Vec<DocId> {
        let count = match &self.names {
            IdForm::Given { ends, .. } => ends.len(),
            IdForm::Places { rows, .. } => rows.len(),
        };
        let mut order: Vec<DocId> = DocId::first(count).collect();
        if self.are_given() && !order.is_sorted_by_key(|&document| self.bytes(document.index())) {
            // A stable sort by runs: ids often are sorted, or are several sorted lists. Equal ids stay in input order.
            order.par_sort_by(|&left, &right| self.bytes(left.index()).cmp(self.bytes(right.index())));
        }
        order
    }
}

fn range(ends: &[u64], index: usize) -> Range<usize> {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    start as usize..ends[index] as usize
}
