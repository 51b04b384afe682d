//! Components while documents come and go: what verified pairs connect.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::documents::table_key::TableKey;
use std::collections::HashSet;

/// Connects a text with everything it meets; with some of it, it may be connected already.
pub fn link(index_state: &mut IndexState, representative: u32, comparer: &mut TextComparer) {
    link_among(index_state, representative, comparer, |_| true);
}

/// Connects these representatives anew, which were connected once and may be no more, and no others.
pub fn link_again(index_state: &mut IndexState, representatives: &[u32], comparer: &mut TextComparer) {
    let is_one =
        |index_state: &IndexState| representatives.windows(2).all(|two| index_state.state.root(two[0]) == index_state.state.root(two[1]));
    // Where all of them still are, what is known of families stays true.
    if is_one(index_state) {
        return;
    }
    index_state.families.forget();
    let among: HashSet<u32> = representatives.iter().copied().collect();
    for &representative in representatives {
        link_among(index_state, representative, comparer, |other| among.contains(&other));
    }
}

/// Those under a key that a text is not connected with, and how many are there.
struct UnconnectedTexts {
    key: TableKey,
    strangers: Vec<u32>,
    count: usize,
}

fn link_among(index_state: &mut IndexState, representative: u32, comparer: &mut TextComparer, admits: impl Fn(u32) -> bool) {
    let (entered, keys) = (index_state.document_table.entered(), index_state.keys_of(representative, comparer));
    let under = strangers(index_state, representative, &keys);
    let mut others: Vec<u32> = under.iter().flat_map(|under| &under.strangers).copied().filter(|&other| admits(other)).collect();
    index_state.arrange(&mut others);
    let (state, row) = (&index_state.state, index_state.document_table.row(representative));
    let mut subject = comparer.take(row.text, row.sketch());
    let (mut reached, mut met) = (vec![state.root(representative)], Vec::new());
    for other in others {
        let root = state.root(other);
        if !reached.contains(&root) && subject.meets(&index_state.document_table.row(other)).is_some() {
            reached.push(root);
            met.push(other);
        }
    }
    for other in index_state.gather(met) {
        index_state.state.unite(representative, other);
    }
    let (state, families) = (&index_state.state, &mut index_state.families);
    let root = state.root(representative);
    for UnconnectedTexts { key, strangers, count } in under {
        if strangers.iter().all(|&stranger| state.root(stranger) == root) {
            families.remember(key, representative, entered, count);
        }
    }
}

/// Living texts that share keys of the main pass with a text and are not connected with it, key by key; under a key that more
/// than its cap hold only the first ones that are kept.
fn strangers(index_state: &IndexState, representative: u32, keys: &[TableKey]) -> Vec<UnconnectedTexts> {
    let (state, root) = (&index_state.state, index_state.state.root(representative));
    let mut all = Vec::new();
    index_state.document_table.look_up(index_state.main(keys), |under| {
        let (mut strangers, mut count) = (Vec::new(), 0);
        let is_stranger = |number: u32| state.carries(number) && state.root(number) != root;
        let mut look = |number: u32| {
            count += 1;
            if is_stranger(number) {
                strangers.push(number);
            }
        };
        match index_state.families.known(under.key, state, representative) {
            Some(entered) => under.since(entered, &mut look),
            None => under.all(&mut look),
        }
        if strangers.len() > index_state.passes.cap_of(under.key) {
            strangers.clear();
            index_state.lead(&under, is_stranger, &mut strangers);
            // Those beyond the cap are strangers, too.
            count = 0;
        }
        all.push(UnconnectedTexts { key: under.key, strangers, count });
    });
    all
}
