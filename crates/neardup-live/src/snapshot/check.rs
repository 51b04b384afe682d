//! What would come of a document, without taking it in.

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
use std::slice;

/// What would come of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The verdict on it.
    pub verdict: Verdict,
    /// The document of the same URL whose place it would take.
    pub replaced: Option<String>,
    /// Whether it is there already, to the letter, under its URL or its id; then `replaced` names that one.
    pub unchanged: bool,
}

impl Snapshot {
    /// What would come of a document; nothing changes.
    ///
    /// # Errors
    /// [`Error::Data`](crate::Error::Data) where it could not be added.
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
        let rest = EarlierDocuments { without, place: self.index_state.policy.place_of(&row, document_table.count()) };
        let original = rest.by_equal(&signed).or_else(|| rest.by_meeting(&row, &signed, comparer));
        let dropped = original.map(|original| evidence(&self.index_state, &row, original, comparer));
        let id = document.id.clone().unwrap_or_else(|| unnamed(self.steps + 1));
        Ok(Check { verdict: Verdict { id, dropped }, replaced: replaced.map(name_of), unchanged: false })
    }
}

/// The documents before a place in policy order, one of them left out.
struct EarlierDocuments<'a> {
    without: IndexWithout<'a>,
    place: PolicyPlace<'a>,
}

impl EarlierDocuments<'_> {
    /// The front of a text, if any document of it is left and comes before.
    fn first_document(&self, representative: u32) -> Option<u32> {
        let IndexState { policy, document_table, .. } = self.without.index_state;
        self.without.first_document(representative).filter(|&first_document| policy.place(document_table, first_document) < self.place)
    }

    /// The kept document that one of the same tokens follows, when that one comes before.
    fn by_equal(&self, signed: &SignedText) -> Option<u32> {
        let representative = self.without.index_state.representative_of(signed.lexical)?;
        let first_document = self.first_document(representative)?;
        let leader = self.without.leader(representative);
        if leader == representative { Some(first_document) } else { self.first_document(leader).or(Some(first_document)) }
    }

    /// The first kept document that comes before and meets it.
    fn by_meeting(&self, row: &DocumentRow<'_>, signed: &SignedText, comparer: &mut TextComparer) -> Option<u32> {
        let index_state = self.without.index_state;
        let IndexState { policy, document_table, .. } = index_state;
        let kept = self.without.leaders_before(&signed.keys, self.place);
        let mut first_documents: Vec<u32> = kept.into_iter().filter_map(|representative| self.first_document(representative)).collect();
        first_documents.sort_by_cached_key(|&first_document| policy.place(document_table, first_document));
        let mut subject = comparer.take(row.text, row.sketch());
        let own = first_documents.into_iter().map(|first_document| (first_document, document_table.row(first_document)));
        // Of those that follow the one left out some may have their texts in other shards.
        let own =
            own.filter(|(_, row)| row.is_whole()).find(|(_, row)| subject.meets(row).is_some()).map(|(first_document, _)| first_document);
        let all = index_state.documents_of_all(own.into_iter().collect());
        all.into_iter().min_by_key(|&first_document| policy.place(document_table, first_document))
    }
}
