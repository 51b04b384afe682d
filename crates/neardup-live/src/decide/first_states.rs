//! The states before a change, so that every changed verdict can be reported.

use crate::decide::index_state::IndexState;
use crate::documents::state::DocumentStates;
use neardup_core::util::ids::DocId;
use std::collections::{BTreeSet, HashMap};

/// The first recorded state of everything that changed.
pub struct FirstStates {
    /// The end of the documents before the change.
    end: DocId,
    leaders: HashMap<DocId, DocId>,
    first_documents: HashMap<DocId, DocId>,
}

impl FirstStates {
    /// Creates an empty record, before any change.
    pub fn new(state: &DocumentStates) -> Self {
        FirstStates { end: state.end(), leaders: HashMap::new(), first_documents: HashMap::new() }
    }

    /// Records which text a text follows, before that changes.
    pub fn note_leader(&mut self, state: &DocumentStates, representative: DocId) {
        self.leaders.entry(representative).or_insert_with(|| state.leader(representative));
    }

    /// Records the first document of a text, before that changes.
    pub fn note_front(&mut self, state: &DocumentStates, representative: DocId) {
        self.first_documents.entry(representative).or_insert_with(|| state.first_document(representative));
    }

    /// Copies the first states of `old` to `new`, the new representative of the same text.
    pub fn rename(&mut self, state: &DocumentStates, old: DocId, new: DocId) {
        self.note_leader(state, old);
        self.note_front(state, old);
        self.leaders.insert(new, self.leaders[&old]);
        self.first_documents.insert(new, self.first_documents[&old]);
    }

    /// Returns the living documents whose original changed, in ascending order, with the original before.
    pub fn changed(&self, index_state: &IndexState) -> Vec<(DocId, DocId)> {
        let state = &index_state.state;
        let living = |representative: &DocId| state.is_representative(*representative);
        let mut representatives: BTreeSet<DocId> = self.leaders.keys().copied().filter(living).collect();
        for &first_document in self.first_documents.keys().filter(|representative| living(representative)) {
            // A text is connected with the text that it follows.
            representatives.extend(
                state
                    .connected(first_document)
                    .filter(|&other| other == first_document || living(&other) && state.leader(other) == first_document),
            );
        }
        let mut changed = Vec::new();
        for representative in representatives {
            let leader = self.leaders.get(&representative).copied().unwrap_or_else(|| state.leader(representative));
            let first_document = self.first_documents.get(&leader).copied().unwrap_or_else(|| state.first_document(leader));
            let members = state.members(representative).iter().copied().filter(|&member| member < self.end);
            changed.extend(members.filter(|&member| state.original(member) != first_document).map(|member| (member, first_document)));
        }
        changed.sort_unstable();
        changed
    }
}
