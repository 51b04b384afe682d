//! What would come of a document, without taking it in.

use crate::Result;
use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::leading::{followers, own_leader};
use crate::decide::verdict::{Verdict, evidence, name, verdict};
use crate::documents::document::{Document, NO_TIME, unnamed};
use crate::documents::policy::Place;
use crate::documents::row::Row;
use crate::documents::signed::Signed;
use crate::documents::table_key::TableKey;
use crate::snapshot::contents::Snapshot;
use std::slice;

/// What would come of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The verdict on it. Where it would take the place of another, what was dropped for that one counts as kept.
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
        let row = Row {
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
        let rest = Rest { holdings: &self.holdings, without: replaced, place: self.holdings.policy.place_of(&row, stock.count()) };
        let original = rest.by_equal(&signed).or_else(|| rest.by_meeting(&row, &signed, bench));
        let dropped = original.map(|original| evidence(&self.holdings, &row, original, bench));
        let id = document.id.clone().unwrap_or_else(|| unnamed(self.steps + 1));
        Ok(Check { verdict: Verdict { id, dropped }, replaced: replaced.map(name_of), unchanged: false })
    }
}

/// The documents before a place in policy order, one of them left out.
struct Rest<'a> {
    holdings: &'a IndexState,
    without: Option<u32>,
    place: Place<'a>,
}

impl Rest<'_> {
    /// The front of a text, if any document of it is left and comes before.
    fn front(&self, carrier: u32) -> Option<u32> {
        let front = self.holdings.state.members(carrier).iter().copied().find(|&member| Some(member) != self.without);
        front.filter(|&front| self.holdings.policy.place(&self.holdings.stock, front) < self.place)
    }

    /// The kept document that one of the same tokens stands behind, when that one comes before.
    fn by_equal(&self, signed: &Signed) -> Option<u32> {
        let carrier = self.holdings.carrier_of(signed.lexical)?;
        let front = self.front(carrier)?;
        let leader = self.holdings.state.leader(carrier);
        if leader == carrier { Some(front) } else { self.front(leader).or(Some(front)) }
    }

    /// The documents with one of these keys that would be kept without the one left out: those that follow it, where no other one
    /// has its text, unless they meet a kept document before them.
    fn freed(&self, keys: &[TableKey], bench: &mut TextComparer) -> Vec<u32> {
        let holdings = self.holdings;
        let gone = self.without.map(|without| holdings.state.carrier(without));
        let Some(gone) = gone.filter(|&carrier| holdings.state.members(carrier).len() == 1) else { return Vec::new() };
        let mut followers = followers(holdings, gone);
        followers.sort_by_cached_key(|&follower| holdings.policy.place(&holdings.stock, follower));
        let shares = |other: u32, keys: &[TableKey], bench: &mut TextComparer| {
            holdings.main(&holdings.keys_of(other, bench)).iter().any(|key| holdings.main(keys).contains(key))
        };
        let mut freed: Vec<u32> = Vec::new();
        for follower in followers {
            let own = holdings.keys_of(follower, bench).into_owned();
            let rivals: Vec<u32> = freed.iter().copied().filter(|&other| shares(other, &own, bench)).collect();
            let row = holdings.stock.row(follower);
            let mut subject = bench.take(row.text, row.sketch());
            let meets_freed = rivals.into_iter().any(|other| subject.meets(&holdings.stock.row(other)).is_some());
            if !meets_freed && own_leader(holdings, follower, |other| other != gone, bench).is_none() {
                freed.push(follower);
            }
        }
        freed.retain(|&other| shares(other, keys, bench));
        freed
    }

    /// The first kept document that comes before and meets it.
    fn by_meeting(&self, row: &Row<'_>, signed: &Signed, bench: &mut TextComparer) -> Option<u32> {
        let holdings = self.holdings;
        let mut kept = holdings.leaders_by(&signed.keys, |_| true);
        kept.extend(self.freed(&signed.keys, bench));
        let mut fronts: Vec<u32> = kept.into_iter().filter_map(|carrier| self.front(carrier)).collect();
        fronts.sort_by_cached_key(|&front| holdings.policy.place(&holdings.stock, front));
        let mut subject = bench.take(row.text, row.sketch());
        let own = fronts.into_iter().map(|front| (front, holdings.stock.row(front)));
        // Of those who follow the one left out some may have their texts in other shards.
        let own = own.filter(|(_, row)| row.is_whole()).find(|(_, row)| subject.meets(row).is_some()).map(|(front, _)| front);
        let all = holdings.shards.gather(own.into_iter().collect());
        all.into_iter().min_by_key(|&front| holdings.policy.place(&holdings.stock, front))
    }
}
