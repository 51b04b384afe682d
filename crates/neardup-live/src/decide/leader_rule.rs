//! The leader rule while documents are added and removed: a text is dropped if it matches a text that is kept and comes before it
//! in policy order.
//!
//! A verdict depends only on texts that come before in policy order. So when texts are added, removed or moved, the verdicts that
//! may change are re-evaluated in that order. A text that becomes kept puts in question the later texts that it matches. A text
//! that is no longer kept puts in question those that were dropped for it. Every re-evaluated verdict is final, because everything
//! that it puts in question comes later.

use crate::decide::comparer::TextComparer;
use crate::decide::first_states::FirstStates;
use crate::decide::index_state::IndexState;
use crate::documents::segment::KeyState;
use neardup_core::util::ids::DocId;
use std::collections::{BTreeMap, HashSet};

/// Texts whose verdict is in question.
#[derive(Default)]
pub struct PendingVerdicts {
    /// Representatives by their places in policy order.
    waiting: BTreeMap<(i64, bool, Vec<u8>, DocId), DocId>,
    /// Texts that moved forward in policy order. Their rivals must be re-evaluated even if they were kept before.
    advanced: HashSet<DocId>,
}

impl PendingVerdicts {
    /// Puts the verdict on a text in question.
    pub fn ask(&mut self, index_state: &IndexState, representative: DocId) {
        self.waiting.insert(index_state.place(representative).owned(), representative);
    }

    /// Puts the verdict on a text in question that moved forward in policy order.
    pub fn advance(&mut self, index_state: &IndexState, representative: DocId) {
        self.advanced.insert(representative);
        self.ask(index_state, representative);
    }
}

/// Returns the first text in policy order that is kept, comes before `representative`, matches it and is accepted by `admits`.
pub fn first_leader(
    index_state: &IndexState,
    representative: DocId,
    admits: impl Fn(DocId) -> bool,
    comparer: &mut TextComparer,
) -> Option<DocId> {
    index_state.first(own_leader(index_state, representative, admits, comparer))
}

/// Does the same with the keys of this shard only.
pub fn own_leader(
    index_state: &IndexState,
    representative: DocId,
    admits: impl Fn(DocId) -> bool,
    comparer: &mut TextComparer,
) -> Option<DocId> {
    let keys = index_state.keys_of(representative, comparer);
    let leaders =
        index_state.leaders_by(&keys, |other| other != representative && admits(other) && index_state.is_before(other, representative));
    let row = index_state.document_table.row(representative);
    let mut subject = comparer.take(row.text, row.sketch());
    leaders.into_iter().find(|&leader| subject.meets(&index_state.document_table.row(leader)).is_some())
}

/// Does the same for a text that is connected with everything that it matches.
pub fn connected_leader(index_state: &IndexState, representative: DocId, comparer: &mut TextComparer) -> Option<DocId> {
    let (state, root) = (&index_state.state, index_state.state.root(representative));
    if state.is_alone(representative) {
        None
    } else {
        first_leader(index_state, representative, |other| state.root(other) == root, comparer)
    }
}

/// Re-evaluates all verdicts in question, in policy order.
pub fn settle(index_state: &mut IndexState, mut questions: PendingVerdicts, before: &mut FirstStates, comparer: &mut TextComparer) {
    while let Some((_, representative)) = questions.waiting.pop_first() {
        let old = index_state.state.leader(representative);
        let new = connected_leader(index_state, representative, comparer).unwrap_or(representative);
        if old != new {
            before.note_leader(&index_state.state, representative);
            index_state.state.follow(representative, new);
        }
        if new == representative && old != representative {
            let keys = index_state.keys_of(representative, comparer).into_owned();
            index_state.document_table.enter(representative, &keys, KeyState::Leader);
        }
        if new == representative && (old != representative || questions.advanced.contains(&representative)) {
            rivals(index_state, representative, comparer).into_iter().for_each(|rival| questions.ask(index_state, rival));
        }
        if old == representative && new != representative {
            followers(index_state, representative).into_iter().for_each(|follower| questions.ask(index_state, follower));
        }
    }
}

/// Returns the texts that were dropped for this one. They are connected with it.
pub fn followers(index_state: &IndexState, representative: DocId) -> Vec<DocId> {
    followers_by(index_state, representative, |other| index_state.state.leader(other))
}

/// Does the same, with `leader` as the text for which each text is dropped.
pub fn followers_by(index_state: &IndexState, representative: DocId, leader: impl Fn(DocId) -> DocId) -> Vec<DocId> {
    let state = &index_state.state;
    let follows = |&other: &DocId| other != representative && state.is_representative(other) && leader(other) == representative;
    state.connected(representative).filter(follows).collect()
}

/// Returns the texts that match a kept one, come after it, and are kept or were dropped for a text that comes after it.
pub fn rivals(index_state: &IndexState, representative: DocId, comparer: &mut TextComparer) -> Vec<DocId> {
    if index_state.state.is_alone(representative) {
        return Vec::new();
    }
    rivals_by(
        index_state,
        representative,
        |other| index_state.state.leader(other),
        |text| index_state.is_before(representative, text),
        comparer,
    )
}

/// Does the same, with `leader` as the text for which each text is dropped. `is_behind` returns whether a text comes later.
pub fn rivals_by(
    index_state: &IndexState,
    representative: DocId,
    leader: impl Fn(DocId) -> DocId,
    is_behind: impl Fn(DocId) -> bool,
    comparer: &mut TextComparer,
) -> Vec<DocId> {
    let (state, root) = (&index_state.state, index_state.state.root(representative));
    let keys = index_state.keys_of(representative, comparer);
    let is_rival = |other: DocId| {
        let leads = leader(other) == other || is_behind(leader(other));
        other != representative && state.root(other) == root && is_behind(other) && leads
    };
    let mut others = index_state.all_by(&keys, is_rival);
    let row = index_state.document_table.row(representative);
    let mut subject = comparer.take(row.text, row.sketch());
    others.retain(|&other| subject.meets(&index_state.document_table.row(other)).is_some());
    index_state.gather(others)
}
