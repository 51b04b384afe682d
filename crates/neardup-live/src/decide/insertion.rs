//! A document comes.

use crate::decide::first_states::FirstStates;
use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::leader_rule::{PendingVerdicts, first_leader, rivals, settle};
use crate::decide::components::link;
use crate::documents::document_table::MemtableEntry;
use crate::documents::policy::Policy;
use crate::documents::segment::KeyState;

/// Takes a document in, and returns its number.
pub fn add(holdings: &mut IndexState, fresh: MemtableEntry, before: &mut FirstStates, bench: &mut TextComparer) -> u32 {
    let (lexical, equal) = (fresh.signed.lexical, holdings.carrier_of(fresh.signed.lexical));
    let number = holdings.stock.push(fresh);
    holdings.state.push();
    match equal {
        Some(carrier) => join(holdings, number, carrier, before, bench),
        // A blank text equals nothing, and has no keys.
        None if lexical == 0 => {}
        None => carry(holdings, number, before, bench),
    }
    number
}

/// A text that is there already has one document more.
fn join(holdings: &mut IndexState, number: u32, carrier: u32, before: &mut FirstStates, bench: &mut TextComparer) {
    let place = |number: u32| holdings.policy.place(&holdings.stock, number);
    let at = holdings.state.members(carrier).partition_point(|&member| place(member) < place(number));
    if at == 0 {
        before.note_front(&holdings.state, carrier);
    }
    holdings.state.join(carrier, number, at);
    holdings.state.unite(carrier, number);
    if at == 0 {
        let mut questions = PendingVerdicts::default();
        questions.advance(holdings, carrier);
        settle(holdings, questions, before, bench);
    }
}

/// A new text.
fn carry(holdings: &mut IndexState, number: u32, before: &mut FirstStates, bench: &mut TextComparer) {
    let leader = first_leader(holdings, number, |_| true, bench);
    if let Some(leader) = leader {
        // Of a family it is enough to meet one.
        holdings.state.follow(number, leader);
        holdings.state.unite(number, leader);
    }
    link(holdings, number, bench);
    let keys = holdings.keys_of(number, bench).into_owned();
    holdings.stock.enter(number, &keys, if leader.is_some() { KeyState::Follower } else { KeyState::Leader });
    // By arrival no document comes behind it.
    if leader.is_none() && holdings.policy != Policy::First {
        let mut questions = PendingVerdicts::default();
        rivals(holdings, number, bench).into_iter().for_each(|rival| questions.ask(holdings, rival));
        settle(holdings, questions, before, bench);
    }
}
