//! Adding a document.

use crate::decide::comparer::TextComparer;
use crate::decide::components::link;
use crate::decide::first_states::FirstStates;
use crate::decide::index_state::IndexState;
use crate::decide::leader_rule::{PendingVerdicts, first_leader, rivals, settle};
use crate::documents::document_table::MemtableEntry;
use crate::documents::policy::Policy;
use crate::documents::segment::KeyState;
use neardup_core::util::ids::DocId;

/// Adds a document, and returns its number.
pub fn add(index_state: &mut IndexState, fresh: MemtableEntry, before: &mut FirstStates, comparer: &mut TextComparer) -> DocId {
    let (lexical, equal) = (fresh.signed.lexical, index_state.representative_of(fresh.signed.lexical));
    let number = index_state.document_table.push(fresh);
    index_state.state.push();
    match equal {
        Some(representative) => join(index_state, number, representative, before, comparer),
        // A blank text equals no other, and has no keys.
        None if lexical == 0 => {}
        None => add_representative(index_state, number, before, comparer),
    }
    number
}

/// Adds a document to a text that the index contains already.
fn join(index_state: &mut IndexState, number: DocId, representative: DocId, before: &mut FirstStates, comparer: &mut TextComparer) {
    let place = |number: DocId| index_state.policy.place(&index_state.document_table, number);
    let at = index_state.state.members(representative).partition_point(|&member| place(member) < place(number));
    if at == 0 {
        before.note_front(&index_state.state, representative);
    }
    index_state.state.join(representative, number, at);
    index_state.state.unite(representative, number);
    if at == 0 {
        let mut questions = PendingVerdicts::default();
        questions.advance(index_state, representative);
        settle(index_state, questions, before, comparer);
    }
}

/// Adds a document with a new text.
fn add_representative(index_state: &mut IndexState, number: DocId, before: &mut FirstStates, comparer: &mut TextComparer) {
    let leader = first_leader(index_state, number, |_| true, comparer);
    if let Some(leader) = leader {
        // Connected with its leader, the text need not be compared with others of that component.
        index_state.state.follow(number, leader);
        index_state.state.unite(number, leader);
    }
    link(index_state, number, comparer);
    let keys = index_state.keys_of(number, comparer).into_owned();
    index_state.document_table.enter(number, &keys, if leader.is_some() { KeyState::Follower } else { KeyState::Leader });
    // Under policy `first`, no document comes after the new one in policy order.
    if leader.is_none() && index_state.policy != Policy::First {
        let mut questions = PendingVerdicts::default();
        rivals(index_state, number, comparer).into_iter().for_each(|rival| questions.ask(index_state, rival));
        settle(index_state, questions, before, comparer);
    }
}
