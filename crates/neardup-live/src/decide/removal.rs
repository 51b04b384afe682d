//! Removing documents.

use crate::decide::comparer::TextComparer;
use crate::decide::components::link_again;
use crate::decide::first_states::FirstStates;
use crate::decide::index_state::IndexState;
use crate::decide::leader_rule::{PendingVerdicts, settle};
use crate::documents::segment::KeyState;
use neardup_core::util::ids::DocId;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Removes living documents, all at once. Other documents take over the texts that they represented.
pub fn remove(index_state: &mut IndexState, numbers: &[DocId], before: &mut FirstStates, comparer: &mut TextComparer) {
    let mut components: BTreeMap<DocId, Vec<DocId>> = BTreeMap::new();
    for &number in numbers {
        components.entry(index_state.state.root(number)).or_insert_with(|| members(index_state, number));
    }
    let mut gone = RemovedTexts::default();
    for &number in numbers {
        mark_dead(index_state, number, before, comparer, &mut gone);
    }
    let mut questions = PendingVerdicts::default();
    for members in components.values() {
        for representative in hand_on(index_state, members, &gone, before) {
            questions.ask(index_state, representative);
        }
    }
    // Until the verdicts are settled, components stay whole, so all texts that match are still connected.
    settle(index_state, questions, before, comparer);
    components.values().for_each(|members| connect(index_state, members, &gone, comparer));
}

/// Returns all documents that are connected with `number`, including itself.
fn members(index_state: &IndexState, number: DocId) -> Vec<DocId> {
    let mut members: Vec<DocId> = index_state.state.connected(number).collect();
    // All shards must ask about the members in the same order. Their trees may differ in order, because a shard that was reopened
    // restored its trees from a file.
    if index_state.shards.name_serials() {
        members.sort_unstable();
    }
    members
}

/// The effects of a removal on texts.
#[derive(Default)]
struct RemovedTexts {
    /// Texts that no document has any more.
    texts: HashSet<DocId>,
    /// Kept texts that moved back in policy order.
    retreated: HashSet<DocId>,
    /// Representatives that were replaced, with their successors.
    renamed: HashMap<DocId, DocId>,
}

fn mark_dead(index_state: &mut IndexState, number: DocId, before: &mut FirstStates, comparer: &mut TextComparer, gone: &mut RemovedTexts) {
    let state = &mut index_state.state;
    let representative = state.representative(number);
    before.note_front(state, representative);
    let rest: Vec<DocId> = state.members(representative).iter().copied().filter(|&member| member != number).collect();
    let was_front = state.first_document(representative) == number;
    state.mark_dead(number);
    let Some(&first_document) = rest.first() else {
        state.drop_text(representative);
        gone.texts.insert(representative);
        return;
    };
    let heir = if representative == number { first_document } else { representative };
    let is_kept = state.leader(representative) == representative;
    if heir != representative {
        before.rename(state, representative, heir);
        gone.renamed.insert(representative, heir);
    }
    state.leave(representative, heir, rest);
    if was_front && is_kept || gone.retreated.contains(&representative) {
        gone.retreated.insert(heir);
    }
    if heir != representative {
        let keys = index_state.keys_of(heir, comparer).into_owned();
        index_state.document_table.enter(heir, &keys, if is_kept { KeyState::Leader } else { KeyState::Follower });
    }
}

/// Connects the remaining documents of a component.
fn connect(index_state: &mut IndexState, members: &[DocId], gone: &RemovedTexts, comparer: &mut TextComparer) {
    let state = &mut index_state.state;
    state.isolate(members);
    let living: Vec<DocId> = members.iter().copied().filter(|&member| state.is_alive(member)).collect();
    let representatives: Vec<DocId> = living.iter().copied().filter(|&member| state.is_representative(member)).collect();
    for &member in &living {
        state.unite(member, state.representative(member));
    }
    for &representative in &representatives {
        state.unite(representative, state.leader(representative));
    }
    if members.iter().any(|member| gone.texts.contains(member)) {
        link_again(index_state, &representatives, comparer);
    } else {
        for two in representatives.windows(2) {
            state.unite(two[0], two[1]);
        }
    }
}

/// Makes texts follow the successors of their leaders. Returns the texts of a component whose leader was removed or moved back in
/// policy order. A text that moved back itself is its own leader.
fn hand_on(index_state: &mut IndexState, members: &[DocId], gone: &RemovedTexts, before: &mut FirstStates) -> Vec<DocId> {
    let state = &mut index_state.state;
    let mut asked = Vec::new();
    for &member in members {
        if !state.is_representative(member) {
            continue;
        }
        let mut leader = state.leader(member);
        while let Some(&heir) = gone.renamed.get(&leader) {
            before.note_leader(state, member);
            state.follow(member, heir);
            leader = heir;
        }
        if gone.texts.contains(&leader) || gone.retreated.contains(&leader) {
            asked.push(member);
        }
    }
    asked
}
