//! The sources of a run, and the places of their records.

use crate::Result;
use crate::findings::decisions::DroppedDocuments;
use crate::progress::Watch;
use crate::tables::names::TableNames;
use neardup_core::util::ids::DocId;
use neardup_corpus::{Fields, Source, SourceSpan};

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

    /// Returns the places of the rejected records of a source. A file of the reference may be shown by the same name, so only rejects
    /// of the input count.
    pub fn rejects<'s>(&'s self, source: &'s Source) -> impl Iterator<Item = SourceSpan> + use<'s> {
        let signed = self.names.signed;
        let rejects = &signed.rejects[..signed.reference_rejects];
        let of_source = rejects.iter().filter(|reject| reject.source == source.name && reject.len > 0);
        of_source.map(|reject| SourceSpan { offset: reject.offset, len: reject.len })
    }
}
