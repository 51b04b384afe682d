//! Checks: the verdict that a document would get, without adding it.

use crate::Result;
use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::index_without::IndexWithout;
use crate::decide::verdict::{Verdict, evidence, name, verdict};
use crate::documents::document::{Document, NO_TIME, unnamed};
use crate::documents::policy::PolicyPlace;
use crate::documents::row::DocumentRow;
use crate::documents::signed::SignedText;
use crate::snapshot::contents::Snapshot;
use neardup_core::util::ids::DocId;
use std::slice;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The verdict on the document.
    pub verdict: Verdict,
    /// The document of the same URL that it would replace.
    pub replaced: Option<String>,
    /// Whether exactly this document is in the index already, under its URL or its id. Then `replaced` names that document.
    pub unchanged: bool,
}

impl Snapshot {
    /// Returns the verdict that a document would get. Nothing changes.
    ///
    /// # Errors
    /// [`Error::Data`](crate::Error::Data) if it could not be added.
    pub fn check(&self, document: &Document, comparer: &mut TextComparer) -> Result<Check> {
        self.check_names(slice::from_ref(document))?;
        let (document_table, replaced) = (&self.index_state.document_table, self.replaced_by(document));
        let name_of = |number| name(&document_table.row(number));
        if let Some(number) = self.same_as(document) {
            return Ok(Check { verdict: verdict(&self.index_state, number, comparer), replaced: Some(name_of(number)), unchanged: true });
        }
        let signed = comparer.sign(document.text.as_bytes());
        let row = DocumentRow {
            serial: self.steps + 1,
            arrived: self.arrived,
            id: document.id.as_deref().unwrap_or_default().as_bytes(),
            url: &[],
            time: document.time.unwrap_or(NO_TIME),
            text: document.text.as_bytes(),
            tokens: signed.tokens,
            features: signed.features,
            raw: signed.raw,
            lexical: signed.lexical,
            bitmap: &signed.bitmap,
            parts: &signed.parts,
        };
        let without = IndexWithout::new(&self.index_state, replaced, comparer);
        let rest = EarlierDocuments { without, place: self.index_state.policy.place_of(&row, document_table.end()) };
        let original = rest.by_equal(&signed).or_else(|| rest.by_meeting(&row, &signed, comparer));
        let dropped = original.map(|original| evidence(&self.index_state, &row, original, comparer));
        let id = document.id.clone().unwrap_or_else(|| unnamed(self.steps + 1));
        Ok(Check { verdict: Verdict { id, dropped }, replaced: replaced.map(name_of), unchanged: false })
    }
}

/// The documents before a place in policy order, without one of them.
struct EarlierDocuments<'a> {
    without: IndexWithout<'a>,
    place: PolicyPlace<'a>,
}

impl EarlierDocuments<'_> {
    /// Returns the first document of a text; `None` if none is left or if it does not come before the place.
    fn first_document(&self, representative: DocId) -> Option<DocId> {
        let IndexState { policy, document_table, .. } = self.without.index_state;
        self.without.first_document(representative).filter(|&first_document| policy.place(document_table, first_document) < self.place)
    }

    /// Returns the kept document that the text with equal tokens follows, if that text comes before the place.
    fn by_equal(&self, signed: &SignedText) -> Option<DocId> {
        let representative = self.without.index_state.representative_of(signed.lexical)?;
        let first_document = self.first_document(representative)?;
        let leader = self.without.leader(representative);
        if leader == representative { Some(first_document) } else { self.first_document(leader).or(Some(first_document)) }
    }

    /// Returns the first kept document that comes before the place and matches the document.
    fn by_meeting(&self, row: &DocumentRow<'_>, signed: &SignedText, comparer: &mut TextComparer) -> Option<DocId> {
        let index_state = self.without.index_state;
        let IndexState { policy, document_table, .. } = index_state;
        let kept = self.without.leaders_before(&signed.keys, self.place);
        let mut first_documents: Vec<DocId> = kept.into_iter().filter_map(|representative| self.first_document(representative)).collect();
        first_documents.sort_by_cached_key(|&first_document| policy.place(document_table, first_document));
        let mut subject = comparer.take(row.text, row.sketch());
        let own = first_documents.into_iter().map(|first_document| (first_document, document_table.row(first_document)));
        // Some followers of the omitted document may have their texts in other shards.
        let own =
            own.filter(|(_, row)| row.is_whole()).find(|(_, row)| subject.meets(row).is_some()).map(|(first_document, _)| first_document);
        let all = index_state.documents_of_all(own.into_iter().collect());
        all.into_iter().min_by_key(|&first_document| policy.place(document_table, first_document))
    }
}
