//! What would come of a document, without taking it in.

use crate::Result;
use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::verdict::{Verdict, evidence, name, verdict};
use crate::decide::index_without::IndexWithout;
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
    pub fn check(&self, document: &Document, bench: &mut TextComparer) -> Result<Check> {
        self.check_names(slice::from_ref(document))?;
        let (stock, replaced) = (&self.holdings.stock, self.replaced_by(document));
        let name_of = |number| name(&stock.row(number));
        if let Some(number) = self.same_as(document) {
            return Ok(Check { verdict: verdict(&self.holdings, number, bench), replaced: Some(name_of(number)), unchanged: true });
        }
        let signed = bench.sign(document.text.as_bytes());
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
        let without = IndexWithout::new(&self.holdings, replaced, bench);
        let rest = EarlierDocuments { without, place: self.holdings.policy.place_of(&row, stock.count()) };
        let original = rest.by_equal(&signed).or_else(|| rest.by_meeting(&row, &signed, bench));
        let dropped = original.map(|original| evidence(&self.holdings, &row, original, bench));
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
    fn front(&self, carrier: u32) -> Option<u32> {
        let IndexState { policy, stock, .. } = self.without.holdings;
        self.without.front(carrier).filter(|&front| policy.place(stock, front) < self.place)
    }

    /// The kept document that one of the same tokens follows, when that one comes before.
    fn by_equal(&self, signed: &SignedText) -> Option<u32> {
        let carrier = self.without.holdings.carrier_of(signed.lexical)?;
        let front = self.front(carrier)?;
        let leader = self.without.leader(carrier);
        if leader == carrier { Some(front) } else { self.front(leader).or(Some(front)) }
    }

    /// The first kept document that comes before and meets it.
    fn by_meeting(&self, row: &DocumentRow<'_>, signed: &SignedText, bench: &mut TextComparer) -> Option<u32> {
        let holdings = self.without.holdings;
        let IndexState { policy, stock, .. } = holdings;
        let kept = self.without.leaders_before(&signed.keys, self.place);
        let mut fronts: Vec<u32> = kept.into_iter().filter_map(|carrier| self.front(carrier)).collect();
        fronts.sort_by_cached_key(|&front| policy.place(stock, front));
        let mut subject = bench.take(row.text, row.sketch());
        let own = fronts.into_iter().map(|front| (front, stock.row(front)));
        // Of those that follow the one left out some may have their texts in other shards.
        let own = own.filter(|(_, row)| row.is_whole()).find(|(_, row)| subject.meets(row).is_some()).map(|(front, _)| front);
        let all = holdings.documents_of_all(own.into_iter().collect());
        all.into_iter().min_by_key(|&front| policy.place(stock, front))
    }
}
