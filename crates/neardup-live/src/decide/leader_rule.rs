//! The leader rule while documents come and go: in policy order a text is dropped when it meets one that is kept before it.
//!
//! A verdict depends on what comes before in policy order and on nothing else. So when texts come, go or move, those whose
//! verdict may change are taken up in that order; each that turns out kept puts those behind it in question which it meets,
//! each that is kept no more puts those in question which were dropped for it. What is decided is decided for good, since all
//! that is put in question comes later.

use crate::decide::comparer::TextComparer;
use crate::decide::first_states::FirstStates;
use crate::decide::index_state::IndexState;
use crate::documents::segment::KeyState;
use std::collections::{BTreeMap, HashSet};

/// Texts whose verdict is in question.
#[derive(Default)]
pub struct PendingVerdicts {
    /// By their places.
    waiting: BTreeMap<(i64, bool, Vec<u8>, u32), u32>,
    /// Texts that are earlier than before: what they meet must be verified even where they were kept before.
    advanced: HashSet<u32>,
}

impl PendingVerdicts {
    /// Puts a text in question.
    pub fn ask(&mut self, index_state: &IndexState, representative: u32) {
        self.waiting.insert(index_state.place(representative).owned(), representative);
    }

    /// Puts a text in question that is earlier than before.
    pub fn advance(&mut self, index_state: &IndexState, representative: u32) {
        self.advanced.insert(representative);
        self.ask(index_state, representative);
    }
}

/// The first text in policy order that is kept, comes before this one and meets it; only those that `admits` are asked.
pub fn first_leader(
    index_state: &IndexState,
    representative: u32,
    admits: impl Fn(u32) -> bool,
    comparer: &mut TextComparer,
) -> Option<u32> {
    index_state.first(own_leader(index_state, representative, admits, comparer))
}

/// The same by the keys of this shard.
pub fn own_leader(index_state: &IndexState, representative: u32, admits: impl Fn(u32) -> bool, comparer: &mut TextComparer) -> Option<u32> {
    let keys = index_state.keys_of(representative, comparer);
    let leaders =
        index_state.leaders_by(&keys, |other| other != representative && admits(other) && index_state.is_before(other, representative));
    let row = index_state.document_table.row(representative);
    let mut subject = comparer.take(row.text, row.sketch());
    leaders.into_iter().find(|&leader| subject.meets(&index_state.document_table.row(leader)).is_some())
}

/// The same of a text that is connected with all it meets.
pub fn connected_leader(index_state: &IndexState, representative: u32, comparer: &mut TextComparer) -> Option<u32> {
    let (state, root) = (&index_state.state, index_state.state.root(representative));
    if state.is_alone(representative) {
        None
    } else {
        first_leader(index_state, representative, |other| state.root(other) == root, comparer)
    }
}

/// Settles every question, in policy order.
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

/// The texts that were dropped for this one; they are connected with it.
pub fn followers(index_state: &IndexState, representative: u32) -> Vec<u32> {
    followers_by(index_state, representative, |other| index_state.state.leader(other))
}

/// The same where `leader` says for which text each is dropped.
pub fn followers_by(index_state: &IndexState, representative: u32, leader: impl Fn(u32) -> u32) -> Vec<u32> {
    let state = &index_state.state;
    let follows = |&other: &u32| other != representative && state.carries(other) && leader(other) == representative;
    state.connected(representative).filter(follows).collect()
}

/// The texts behind a kept one that it meets and that are kept, or were dropped for one that comes later.
pub fn rivals(index_state: &IndexState, representative: u32, comparer: &mut TextComparer) -> Vec<u32> {
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

/// The same where `leader` says for which text each is dropped, and `is_behind` which come later.
pub fn rivals_by(
    index_state: &IndexState,
    representative: u32,
    leader: impl Fn(u32) -> u32,
    is_behind: impl Fn(u32) -> bool,
    comparer: &mut TextComparer,
) -> Vec<u32> {
    let (state, root) = (&index_state.state, index_state.state.root(representative));
    let keys = index_state.keys_of(representative, comparer);
    let is_rival = |other: u32| {
        let leads = leader(other) == other || is_behind(leader(other));
        other != representative && state.root(other) == root && is_behind(other) && leads
    };
    let mut others = index_state.all_by(&keys, is_rival);
    let row = index_state.document_table.row(representative);
    let mut subject = comparer.take(row.text, row.sketch());
    others.retain(|&other| subject.meets(&index_state.document_table.row(other)).is_some());
    index_state.gather(others)
}
