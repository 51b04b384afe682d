//! The leader rule as it would be without one of the documents. The state does not change.
//!
//! It re-evaluates verdicts in policy order, as [`settle`](crate::decide::leader_rule::settle) does, and stores the new leaders
//! separately from the state.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::leader_rule::{followers_by, rivals_by};
use crate::documents::policy::PolicyPlace;
use crate::documents::table_key::TableKey;
use neardup_core::util::ids::DocId;
use std::collections::{BTreeMap, HashMap};

/// An index without one of its documents.
pub struct IndexWithout<'a> {
    /// The index with all documents.
    pub index_state: &'a IndexState,
    number: Option<DocId>,
    /// New leaders, of the texts whose leader would change.
    leaders: HashMap<DocId, DocId>,
}

/// Texts whose verdict is in question, by their places in policy order.
type PendingTexts = BTreeMap<(i64, bool, Vec<u8>, DocId), DocId>;

impl<'a> IndexWithout<'a> {
    /// Creates the index without the document `number`; with all documents if it is `None`.
    pub fn new(index_state: &'a IndexState, number: Option<DocId>, comparer: &mut TextComparer) -> Self {
        let mut without = IndexWithout { index_state, number, leaders: HashMap::new() };
        if let Some(number) = number {
            without.settle(number, comparer);
        }
        without
    }

    /// Returns the first remaining document of a text.
    pub fn first_document(&self, representative: DocId) -> Option<DocId> {
        self.index_state.state.members(representative).iter().copied().find(|&member| Some(member) != self.number)
    }

    /// Returns the text for which a text is dropped; itself if it is kept.
    pub fn leader(&self, representative: DocId) -> DocId {
        self.leaders.get(&representative).copied().unwrap_or_else(|| self.index_state.state.leader(representative))
    }

    /// Returns the kept texts that share a key of the main pass and come before a place, in policy order.
    pub fn leaders_before(&self, keys: &[TableKey], place: PolicyPlace<'_>) -> Vec<DocId> {
        let is_leader = |representative: DocId| self.is_kept(representative) && self.place(representative).is_some_and(|own| own < place);
        match self.leaders.is_empty() {
            true => self.index_state.leaders_by(keys, is_leader),
            false => self.index_state.all_by(keys, is_leader),
        }
    }

    fn is_kept(&self, representative: DocId) -> bool {
        self.leader(representative) == representative && self.first_document(representative).is_some()
    }

    fn place(&self, representative: DocId) -> Option<PolicyPlace<'a>> {
        let index_state = self.index_state;
        self.first_document(representative).map(|first_document| index_state.policy.place(&index_state.document_table, first_document))
    }

    fn settle(&mut self, number: DocId, comparer: &mut TextComparer) {
        let state = &self.index_state.state;
        let representative = state.representative(number);
        let was_leader = state.leader(representative) == representative && state.first_document(representative) == number;
        if !was_leader || state.is_alone(representative) {
            return;
        }
        let mut waiting = PendingTexts::new();
        self.ask(&mut waiting, representative);
        self.followers(representative).into_iter().for_each(|follower| self.ask(&mut waiting, follower));
        while let Some((_, representative)) = waiting.pop_first() {
            let old = self.leader(representative);
            let new = self.first_leader(representative, comparer).unwrap_or(representative);
            self.leaders.insert(representative, new);
            if new == representative && old != representative {
                self.rivals(representative, comparer).into_iter().for_each(|rival| self.ask(&mut waiting, rival));
            }
            if old == representative && new != representative {
                self.followers(representative).into_iter().for_each(|follower| self.ask(&mut waiting, follower));
            }
        }
    }

    /// Queues a text for re-evaluation, unless no document of it remains.
    fn ask(&self, waiting: &mut PendingTexts, representative: DocId) {
        if let Some(place) = self.place(representative) {
            waiting.insert(place.owned(), representative);
        }
    }

    fn first_leader(&self, representative: DocId, comparer: &mut TextComparer) -> Option<DocId> {
        let index_state = self.index_state;
        let (keys, root) = (index_state.keys_of(representative, comparer).into_owned(), index_state.state.root(representative));
        let place = self.place(representative)?;
        let mut leaders = self.leaders_before(&keys, place);
        leaders.retain(|&leader| leader != representative && index_state.state.root(leader) == root);
        self.arrange(&mut leaders);
        let row = index_state.document_table.row(representative);
        let mut subject = comparer.take(row.text, row.sketch());
        let own = leaders.into_iter().find(|&leader| subject.meets(&index_state.document_table.row(leader)).is_some());
        let mut all = index_state.documents_of_all(own.into_iter().collect());
        self.arrange(&mut all);
        all.first().copied()
    }

    fn rivals(&self, representative: DocId, comparer: &mut TextComparer) -> Vec<DocId> {
        let is_behind = |other: DocId| self.place(representative) < self.place(other);
        rivals_by(self.index_state, representative, |other| self.leader(other), is_behind, comparer)
    }

    fn followers(&self, representative: DocId) -> Vec<DocId> {
        followers_by(self.index_state, representative, |other| self.leader(other))
    }

    fn arrange(&self, representatives: &mut Vec<DocId>) {
        representatives.sort_unstable();
        representatives.dedup();
        representatives.sort_by_cached_key(|&representative| self.place(representative));
    }
}
