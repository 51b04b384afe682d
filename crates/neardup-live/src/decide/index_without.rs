//! The leader rule as it would be without one of the documents; nothing changes.
//!
//! It takes up in policy order whose verdict is in question, as [`settle`](crate::decide::leading::settle) does, and notes the
//! new leaders beside the state.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::leader_rule::{followers_by, rivals_by};
use crate::documents::policy::PolicyPlace;
use crate::documents::table_key::TableKey;
use std::collections::{BTreeMap, HashMap};

/// An index without one of its documents.
pub struct IndexWithout<'a> {
    /// The index.
    pub holdings: &'a IndexState,
    number: Option<u32>,
    /// Of texts whose leader would be another: which.
    leaders: HashMap<u32, u32>,
}

/// Texts in question, by their places.
type PendingTexts = BTreeMap<(i64, bool, Vec<u8>, u32), u32>;

impl<'a> IndexWithout<'a> {
    /// The index without the document of this number; with all documents for None.
    pub fn new(holdings: &'a IndexState, number: Option<u32>, bench: &mut TextComparer) -> Self {
        let mut without = IndexWithout { holdings, number, leaders: HashMap::new() };
        if let Some(number) = number {
            without.settle(number, bench);
        }
        without
    }

    /// The first document that is left of those that have a text.
    pub fn front(&self, carrier: u32) -> Option<u32> {
        self.holdings.state.members(carrier).iter().copied().find(|&member| Some(member) != self.number)
    }

    /// The text for which a text is dropped; itself when it is kept.
    pub fn leader(&self, carrier: u32) -> u32 {
        self.leaders.get(&carrier).copied().unwrap_or_else(|| self.holdings.state.leader(carrier))
    }

    /// Texts that are kept, share one of the keys of the main pass, and are before a place, in policy order.
    pub fn leaders_before(&self, keys: &[TableKey], place: PolicyPlace<'_>) -> Vec<u32> {
        let is_leader = |carrier: u32| self.is_kept(carrier) && self.place(carrier).is_some_and(|own| own < place);
        match self.leaders.is_empty() {
            true => self.holdings.leaders_by(keys, is_leader),
            false => self.holdings.all_by(keys, is_leader),
        }
    }

    fn is_kept(&self, carrier: u32) -> bool {
        self.leader(carrier) == carrier && self.front(carrier).is_some()
    }

    fn place(&self, carrier: u32) -> Option<PolicyPlace<'a>> {
        let holdings = self.holdings;
        self.front(carrier).map(|front| holdings.policy.place(&holdings.stock, front))
    }

    fn settle(&mut self, number: u32, bench: &mut TextComparer) {
        let state = &self.holdings.state;
        let carrier = state.carrier(number);
        let was_leader = state.leader(carrier) == carrier && state.front(carrier) == number;
        if !was_leader || state.is_alone(carrier) {
            return;
        }
        let mut waiting = PendingTexts::new();
        self.ask(&mut waiting, carrier);
        self.followers(carrier).into_iter().for_each(|follower| self.ask(&mut waiting, follower));
        while let Some((_, carrier)) = waiting.pop_first() {
            let old = self.leader(carrier);
            let new = self.first_leader(carrier, bench).unwrap_or(carrier);
            self.leaders.insert(carrier, new);
            if new == carrier && old != carrier {
                self.rivals(carrier, bench).into_iter().for_each(|rival| self.ask(&mut waiting, rival));
            }
            if old == carrier && new != carrier {
                self.followers(carrier).into_iter().for_each(|follower| self.ask(&mut waiting, follower));
            }
        }
    }

    /// Puts a text in question, unless no document has it any more.
    fn ask(&self, waiting: &mut PendingTexts, carrier: u32) {
        if let Some(place) = self.place(carrier) {
            waiting.insert(place.owned(), carrier);
        }
    }

    fn first_leader(&self, carrier: u32, bench: &mut TextComparer) -> Option<u32> {
        let holdings = self.holdings;
        let (keys, root) = (holdings.keys_of(carrier, bench).into_owned(), holdings.state.root(carrier));
        let place = self.place(carrier)?;
        let mut leaders = self.leaders_before(&keys, place);
        leaders.retain(|&leader| leader != carrier && holdings.state.root(leader) == root);
        self.arrange(&mut leaders);
        let row = holdings.stock.row(carrier);
        let mut subject = bench.take(row.text, row.sketch());
        let own = leaders.into_iter().find(|&leader| subject.meets(&holdings.stock.row(leader)).is_some());
        let mut all = holdings.documents_of_all(own.into_iter().collect());
        self.arrange(&mut all);
        all.first().copied()
    }

    fn rivals(&self, carrier: u32, bench: &mut TextComparer) -> Vec<u32> {
        let is_behind = |other: u32| self.place(carrier) < self.place(other);
        rivals_by(self.holdings, carrier, |other| self.leader(other), is_behind, bench)
    }

    fn followers(&self, carrier: u32) -> Vec<u32> {
        followers_by(self.holdings, carrier, |other| self.leader(other))
    }

    fn arrange(&self, carriers: &mut Vec<u32>) {
        carriers.sort_unstable();
        carriers.dedup();
        carriers.sort_by_cached_key(|&carrier| self.place(carrier));
    }
}
