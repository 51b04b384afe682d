//! Names of documents. An id can name only one document.

use crate::documents::ids::Ids;
use crate::documents::signed::SignedCorpus;
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use neardup_corpus::{Reject, excerpt};
use std::collections::HashMap;
use std::sync::Arc;

/// The ids of all documents, their sources and rows, and their order.
pub struct DocumentNames {
    /// The source of every document.
    pub source_of: Arc<Vec<u32>>,
    /// The line or row of every document in its source.
    pub rows: Arc<Vec<u64>>,
    /// Id of every document.
    pub ids: Ids,
    /// Documents in the order of their ids.
    pub order: Vec<DocId>,
}

impl SignedCorpus {
    /// Returns the names of the documents, and [sets aside](SignedCorpus::set_aside_repeated) documents with an id that is
    /// already taken.
    pub fn document_names(&mut self, skip: bool) -> Result<DocumentNames> {
        let (source_of, rows) = rayon::join(|| self.catalogue.source_of(), || self.catalogue.rows());
        let (source_of, rows) = (Arc::new(source_of?), Arc::new(rows?));
        let ids = self.catalogue.ids(&source_of, &rows)?;
        let order = ids.order();
        let document_names = DocumentNames { source_of, rows, ids, order };
        self.set_aside_repeated(&document_names, skip)?;
        Ok(document_names)
    }

    /// Finds ids that occur twice in the input, or twice in the reference. With `skip` the first document keeps the id and the
    /// others are set aside as rejects; otherwise it is an error.
    fn set_aside_repeated(&mut self, document_names: &DocumentNames, skip: bool) -> Result<()> {
        let DocumentNames { source_of, rows, ids, order } = document_names;
        if !ids.are_given() {
            return Ok(());
        }
        let mut repeated: Vec<(DocId, DocId)> = Vec::new();
        let named = |document: &DocId| ids.bytes(document.index());
        for equal in order.chunk_by(|left, right| named(left) == named(right)).filter(|equal| equal.len() > 1) {
            // The input and the reference have separate namespaces.
            let mut firsts = [None; 2];
            for &document in equal {
                match &mut firsts[usize::from(self.is_reference(document))] {
                    Some(first) => repeated.push((document, *first)),
                    none => *none = Some(document),
                }
            }
        }
        repeated.sort_unstable();
        let Some(&pair) = repeated.first() else { return Ok(()) };
        let source = |document: DocId| &self.catalogue.sources[source_of[document.index()] as usize];
        let place = |document: DocId| self.catalogue.unit(document).place(source(document), rows[document.index()]);
        if !skip {
            return Err(refuse_repeated(&place(pair.0), &ids.get(pair.0), &place(pair.1)));
        }
        let reject = |&pair: &(DocId, DocId)| {
            let (document, span) = (pair.0, self.catalogue.span(pair.0)?);
            Ok(Reject {
                source: source(document).clone(),
                unit: self.catalogue.unit(document),
                row: rows[document.index()],
                offset: span.offset,
                len: span.len,
                reason: repeated_reason(&ids.get(document), &place(pair.1)),
                excerpt: excerpt(self.read(document)?.as_bytes()),
            })
        };
        let mut of_input = repeated.iter().map(reject).collect::<Result<Vec<_>>>()?;
        let of_reference = of_input.split_off(repeated.partition_point(|pair| pair.0.0 < self.reference));
        let end = self.reference_rejects;
        self.reference_rejects += of_input.len();
        self.rejects.splice(end..end, of_input);
        self.rejects.extend(of_reference);
        // Other rejects of a source may follow in it.
        let (input, reference) = self.rejects.split_at_mut(self.reference_rejects);
        for (rejects, names) in [input, reference].into_iter().zip(<[_; 2]>::from(self.catalogue.sources.split_at(self.inputs as usize))) {
            sort_rejects(rejects, names);
        }
        self.set_aside = repeated.into_iter().map(|pair| pair.0).collect();
        Ok(())
    }
}

/// Returns why a document is a reject whose id is used at `first` already.
pub fn repeated_reason(id: &str, first: &str) -> String {
    format!("the id \"{id}\" is already used at {first}")
}

/// Returns the error that the id of the document at `place` is used at `first` already.
pub fn refuse_repeated(place: &str, id: &str, first: &str) -> Error {
    let reason = repeated_reason(id, first);
    Error::Data(format!(
        "{place}: {reason}; ids must be unique; leave the id field out (--id-field), so that ids are source and row and no record is \
         lost, or continue without such records: --on-error skip"
    ))
}

/// Sorts the rejects of some sources by these and the places in them.
pub fn sort_rejects(rejects: &mut [Reject], sources: &[String]) {
    let places: HashMap<&str, usize> = sources.iter().map(String::as_str).zip(0..).collect();
    rejects.sort_by_key(|reject| (places.get(&*reject.source).copied(), reject.offset, reject.row));
}
