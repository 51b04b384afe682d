//! The leader rule while documents come and go: in policy order a text is dropped when it meets one that is kept before it.
//!
//! A verdict depends on what comes before in policy order and on nothing else. So when texts come, go or move, those whose
//! verdict may change are taken up in that order; each that turns out kept puts those behind it in question which it meets,
//! each that is kept no more puts those in question which were dropped for it. What is decided is decided for good, since all
//! that is put in question comes later.

use crate::decide::first_states::FirstStates;
use crate::decide::comparer::TextComparer;
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
    pub fn ask(&mut self, holdings: &IndexState, carrier: u32) {
        self.waiting.insert(holdings.place(carrier).owned(), carrier);
    }

    /// Puts a text in question that is earlier than before.
    pub fn advance(&mut self, holdings: &IndexState, carrier: u32) {
        self.advanced.insert(carrier);
        self.ask(holdings, carrier);
    }
}

/// The first text in policy order that is kept, comes before this one and meets it; only those that `admits` are asked.
pub fn first_leader(holdings: &IndexState, carrier: u32, admits: impl Fn(u32) -> bool, bench: &mut TextComparer) -> Option<u32> {
    holdings.first(own_leader(holdings, carrier, admits, bench))
}

/// The same by the keys of this shard.
pub fn own_leader(holdings: &IndexState, carrier: u32, admits: impl Fn(u32) -> bool, bench: &mut TextComparer) -> Option<u32> {
    let keys = holdings.keys_of(carrier, bench);
    let leaders = holdings.leaders_by(&keys, |other| other != carrier && admits(other) && holdings.is_before(other, carrier));
    let row = holdings.stock.row(carrier);
    let mut subject = bench.take(row.text, row.sketch());
    leaders.into_iter().find(|&leader| subject.meets(&holdings.stock.row(leader)).is_some())
}

/// The same of a text that is connected with all it meets.
pub fn connected_leader(holdings: &IndexState, carrier: u32, bench: &mut TextComparer) -> Option<u32> {
    let (state, root) = (&holdings.state, holdings.state.root(carrier));
    if state.is_alone(carrier) { None } else { first_leader(holdings, carrier, |other| state.root(other) == root, bench) }
}

/// Settles every question, in policy order.
pub fn settle(holdings: &mut IndexState, mut questions: PendingVerdicts, before: &mut FirstStates, bench: &mut TextComparer) {
    while let Some((_, carrier)) = questions.waiting.pop_first() {
        let old = holdings.state.leader(carrier);
        let new = connected_leader(holdings, carrier, bench).unwrap_or(carrier);
        if old != new {
            before.note_leader(&holdings.state, carrier);
            holdings.state.follow(carrier, new);
        }
        if new == carrier && old != carrier {
            let keys = holdings.keys_of(carrier, bench).into_owned();
            holdings.stock.enter(carrier, &keys, KeyState::Leader);
        }
        if new == carrier && (old != carrier || questions.advanced.contains(&carrier)) {
            rivals(holdings, carrier, bench).into_iter().for_each(|rival| questions.ask(holdings, rival));
        }
        if old == carrier && new != carrier {
            followers(holdings, carrier).into_iter().for_each(|follower| questions.ask(holdings, follower));
        }
    }
}

/// The texts that were dropped for this one; they are connected with it.
pub fn followers(holdings: &IndexState, carrier: u32) -> Vec<u32> {
    followers_by(holdings, carrier, |other| holdings.state.leader(other))
}

/// The same where `leader` says for which text each is dropped.
pub fn followers_by(holdings: &IndexState, carrier: u32, leader: impl Fn(u32) -> u32) -> Vec<u32> {
    let state = &holdings.state;
    let follows = |&other: &u32| other != carrier && state.carries(other) && leader(other) == carrier;
    state.connected(carrier).filter(follows).collect()
}

/// The texts behind a kept one that it meets and that are kept, or were dropped for one that comes later.
pub fn rivals(holdings: &IndexState, carrier: u32, bench: &mut TextComparer) -> Vec<u32> {
    if holdings.state.is_alone(carrier) {
        return Vec::new();
    }
    rivals_by(holdings, carrier, |other| holdings.state.leader(other), |text| holdings.is_before(carrier, text), bench)
}

/// The same where `leader` says for which text each is dropped, and `is_behind` which come later.
pub fn rivals_by(
    holdings: &IndexState,
    carrier: u32,
    leader: impl Fn(u32) -> u32,
    is_behind: impl Fn(u32) -> bool,
    bench: &mut TextComparer,
) -> Vec<u32> {
    let (state, root) = (&holdings.state, holdings.state.root(carrier));
    let keys = holdings.keys_of(carrier, bench);
    let is_rival = |other: u32| {
        let leads = leader(other) == other || is_behind(leader(other));
        other != carrier && state.root(other) == root && is_behind(other) && leads
    };
    let mut others = holdings.all_by(&keys, is_rival);
    let row = holdings.stock.row(carrier);
    let mut subject = bench.take(row.text, row.sketch());
    others.retain(|&other| subject.meets(&holdings.stock.row(other)).is_some());
    holdings.gather(others)
}
