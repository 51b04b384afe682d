//! The state before a change, so that every changed verdict can be reported.

use crate::decide::index_state::IndexState;
use crate::documents::state::DocumentStates;
use std::collections::{BTreeSet, HashMap};

/// The first state that was seen of whatever changed.
pub struct FirstStates {
    /// How many documents there were.
    count: u32,
    leaders: HashMap<u32, u32>,
    fronts: HashMap<u32, u32>,
}

impl FirstStates {
    /// Nothing has changed yet.
    pub fn new(state: &DocumentStates) -> Self {
        FirstStates { count: state.count(), leaders: HashMap::new(), fronts: HashMap::new() }
    }

    /// Notes which text a text follows, before that changes.
    pub fn note_leader(&mut self, state: &DocumentStates, carrier: u32) {
        self.leaders.entry(carrier).or_insert_with(|| state.leader(carrier));
    }

    /// Notes the front of a text, before that changes.
    pub fn note_front(&mut self, state: &DocumentStates, carrier: u32) {
        self.fronts.entry(carrier).or_insert_with(|| state.front(carrier));
    }

    /// A text has another carrier: what is known of it goes by the new one, too.
    pub fn rename(&mut self, state: &DocumentStates, old: u32, new: u32) {
        self.note_leader(state, old);
        self.note_front(state, old);
        self.leaders.insert(new, self.leaders[&old]);
        self.fronts.insert(new, self.fronts[&old]);
    }

    /// The living documents whose original is another than before, ascending, with what it was.
    pub fn changed(&self, holdings: &IndexState) -> Vec<(u32, u32)> {
        let state = &holdings.state;
        let living = |carrier: &u32| state.carries(*carrier);
        let mut carriers: BTreeSet<u32> = self.leaders.keys().copied().filter(living).collect();
        for &front in self.fronts.keys().filter(|carrier| living(carrier)) {
            // A text is connected with the one that it follows.
            carriers.extend(state.connected(front).filter(|&other| other == front || living(&other) && state.leader(other) == front));
        }
        let mut changed = Vec::new();
        for carrier in carriers {
            let leader = self.leaders.get(&carrier).copied().unwrap_or_else(|| state.leader(carrier));
            let front = self.fronts.get(&leader).copied().unwrap_or_else(|| state.front(leader));
            let members = state.members(carrier).iter().copied().filter(|&member| member < self.count);
            changed.extend(members.filter(|&member| state.original(member) != front).map(|member| (member, front)));
        }
        changed.sort_unstable();
        changed
    }
}
