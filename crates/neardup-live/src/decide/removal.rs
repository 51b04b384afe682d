//! Documents go.

use crate::decide::first_states::FirstStates;
use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::decide::leader_rule::{PendingVerdicts, settle};
use crate::decide::components::link_again;
use crate::documents::segment::KeyState;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Takes living documents out, all at once: what they represented is handed on.
pub fn remove(holdings: &mut IndexState, numbers: &[u32], before: &mut FirstStates, bench: &mut TextComparer) {
    let mut components: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &number in numbers {
        components.entry(holdings.state.root(number)).or_insert_with(|| members(holdings, number));
    }
    let mut gone = RemovedTexts::default();
    for &number in numbers {
        bury(holdings, number, before, bench, &mut gone);
    }
    let mut questions = PendingVerdicts::default();
    for members in components.values() {
        for carrier in hand_on(holdings, members, &gone, before) {
            questions.ask(holdings, carrier);
        }
    }
    // All that were connected count as connected until then: those that meet still are.
    settle(holdings, questions, before, bench);
    components.values().for_each(|members| connect(holdings, members, &gone, bench));
}

/// All that are connected with a document.
fn members(holdings: &IndexState, number: u32) -> Vec<u32> {
    let mut members: Vec<u32> = holdings.state.connected(number).collect();
    // Shards ask about them one after another. How the tree grew is not the same in all of them, since one that was opened
    // anew has it from a file.
    if holdings.shards.name_serials() {
        members.sort_unstable();
    }
    members
}

/// What has become of texts.
#[derive(Default)]
struct RemovedTexts {
    /// No document has them any more.
    texts: HashSet<u32>,
    /// They were kept, and are later now.
    retreated: HashSet<u32>,
    /// Another document carries them.
    renamed: HashMap<u32, u32>,
}

fn bury(holdings: &mut IndexState, number: u32, before: &mut FirstStates, bench: &mut TextComparer, gone: &mut RemovedTexts) {
    let state = &mut holdings.state;
    let carrier = state.carrier(number);
    before.note_front(state, carrier);
    let rest: Vec<u32> = state.members(carrier).iter().copied().filter(|&member| member != number).collect();
    let was_front = state.front(carrier) == number;
    state.bury(number);
    let Some(&front) = rest.first() else {
        state.drop_text(carrier);
        gone.texts.insert(carrier);
        return;
    };
    let heir = if carrier == number { front } else { carrier };
    let is_kept = state.leader(carrier) == carrier;
    if heir != carrier {
        before.rename(state, carrier, heir);
        gone.renamed.insert(carrier, heir);
    }
    state.leave(carrier, heir, rest);
    if was_front && is_kept || gone.retreated.contains(&carrier) {
        gone.retreated.insert(heir);
    }
    if heir != carrier {
        let keys = holdings.keys_of(heir, bench).into_owned();
        holdings.stock.enter(heir, &keys, if is_kept { KeyState::Leader } else { KeyState::Follower });
    }
}

/// Connects what is left of a component.
fn connect(holdings: &mut IndexState, members: &[u32], gone: &RemovedTexts, bench: &mut TextComparer) {
    let state = &mut holdings.state;
    state.isolate(members);
    let living: Vec<u32> = members.iter().copied().filter(|&member| state.is_alive(member)).collect();
    let carriers: Vec<u32> = living.iter().copied().filter(|&member| state.carries(member)).collect();
    for &member in &living {
        state.unite(member, state.carrier(member));
    }
    for &carrier in &carriers {
        state.unite(carrier, state.leader(carrier));
    }
    if members.iter().any(|member| gone.texts.contains(member)) {
        link_again(holdings, &carriers, bench);
    } else {
        for two in carriers.windows(2) {
            state.unite(two[0], two[1]);
        }
    }
}

/// Which texts of a component followed one that is gone or is later, and which are later themselves.
fn hand_on(holdings: &mut IndexState, members: &[u32], gone: &RemovedTexts, before: &mut FirstStates) -> Vec<u32> {
    let state = &mut holdings.state;
    let mut asked = Vec::new();
    for &member in members {
        if !state.carries(member) {
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
