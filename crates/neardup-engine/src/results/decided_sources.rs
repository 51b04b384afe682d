//! The sources of a run, and the places of their records.

use crate::Result;
use crate::findings::decisions::DroppedDocuments;
use crate::progress::Watch;
use crate::tables::names::TableNames;
use neardup_core::util::ids::DocId;
use neardup_corpus::{Fields, Source, SourceSpan};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The sources of a run with what became of their documents.
#[derive(Clone, Copy)]
pub struct DecidedSources<'a> {
    /// Names and places of the documents.
    pub names: &'a TableNames<'a>,
    /// The decisions.
    pub verdicts: &'a DroppedDocuments,
    /// Names of the fields that were read.
    pub fields: &'a Fields,
    /// The sources, in order.
    pub sources: &'a [Source],
    /// Dropped responses that are written with the kept records, because kept revisits refer to them.
    pub needed: &'a HashSet<DocId>,
    /// Number of threads that write.
    pub threads: usize,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

impl DecidedSources<'_> {
    /// Returns the places of the documents of each source that `picks` picks, without those that are set aside. Neighbours are one
    /// place.
    pub fn spans(&self, picks: impl Fn(DocId) -> bool) -> Result<Vec<Vec<SourceSpan>>> {
        let mut spans: Vec<Vec<SourceSpan>> = vec![Vec::new(); self.sources.len()];
        self.names.signed.catalogue.each_span(|document, span| {
            // Documents of streams have no file to be written to.
            if !self.names.signed.is_reference(document)
                && let Some(spans) = spans.get_mut(self.names.source_of[document.index()] as usize)
                && picks(document)
                && !self.names.signed.is_set_aside(document)
            {
                match spans.last_mut() {
                    Some(last) if last.end() == span.offset => last.len += span.len,
                    _ => spans.push(span),
                }
            }
        })?;
        Ok(spans)
    }

    /// Returns the places of the rejected records of a source.
    pub fn rejects<'s>(&'s self, source: &'s Source) -> impl Iterator<Item = SourceSpan> + use<'s> {
        self.names.signed.rejected_spans(source)
    }
}

/// Returns the dropped responses to which kept revisits refer.
pub fn needed_responses(names: &TableNames<'_>, verdicts: &DroppedDocuments, sources: &[Source]) -> Result<HashSet<DocId>> {
    let signed = names.signed;
    let revisits: HashMap<(u32, u64), _> = signed.revisits.iter().map(|(source, row, response)| ((*source, *row), response)).collect();
    if revisits.is_empty() {
        return Ok(HashSet::new());
    }
    let sources: HashMap<&Path, u32> = sources.iter().map(|source| source.path.as_path()).zip(0..).collect();
    let (source_of, rows) = (names.source_of, names.rows);
    let kept = names.documents.iter().filter(|document| !verdicts.is_dropped(**document));
    let response = |document: &DocId| {
        let response = revisits.get(&(source_of[document.index()], rows[document.index()]))?;
        Some((*sources.get(response.path.as_path())?, response.offset))
    };
    let places: HashSet<(u32, u64)> = kept.filter_map(response).collect();
    let mut needed = HashSet::new();
    signed.catalogue.each_span(|document, span| {
        let is_needed = places.contains(&(source_of[document.index()], span.offset)) && verdicts.is_dropped(document);
        if is_needed && !signed.is_reference(document) {
            needed.insert(document);
        }
    })?;
    Ok(needed)
}
