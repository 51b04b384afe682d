//! Components while documents come and go: what verified pairs connect.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::documents::table_key::TableKey;
use std::collections::HashSet;

/// Connects a text with everything it meets; with some of it, it may be connected already.
pub fn link(holdings: &mut IndexState, carrier: u32, bench: &mut TextComparer) {
    link_among(holdings, carrier, bench, |_| true);
}

/// Connects these carriers anew, which were connected once and may be no more, and no others.
pub fn link_again(holdings: &mut IndexState, carriers: &[u32], bench: &mut TextComparer) {
    let is_one = |holdings: &IndexState| carriers.windows(2).all(|two| holdings.state.root(two[0]) == holdings.state.root(two[1]));
    // Where all of them still are, what is known of families stays true.
    if is_one(holdings) {
        return;
    }
    holdings.families.forget();
    let among: HashSet<u32> = carriers.iter().copied().collect();
    for &carrier in carriers {
        link_among(holdings, carrier, bench, |other| among.contains(&other));
    }
}

/// Those under a key that a text is not connected with, and how many are there.
struct UnconnectedTexts {
    key: TableKey,
    strangers: Vec<u32>,
    count: usize,
}

fn link_among(holdings: &mut IndexState, carrier: u32, bench: &mut TextComparer, admits: impl Fn(u32) -> bool) {
    let (entered, keys) = (holdings.stock.entered(), holdings.keys_of(carrier, bench));
    let under = strangers(holdings, carrier, &keys);
    let mut others: Vec<u32> = under.iter().flat_map(|under| &under.strangers).copied().filter(|&other| admits(other)).collect();
    holdings.arrange(&mut others);
    let (state, row) = (&holdings.state, holdings.stock.row(carrier));
    let mut subject = bench.take(row.text, row.sketch());
    let (mut reached, mut met) = (vec![state.root(carrier)], Vec::new());
    for other in others {
        let root = state.root(other);
        if !reached.contains(&root) && subject.meets(&holdings.stock.row(other)).is_some() {
            reached.push(root);
            met.push(other);
        }
    }
    for other in holdings.gather(met) {
        holdings.state.unite(carrier, other);
    }
    let (state, families) = (&holdings.state, &mut holdings.families);
    let root = state.root(carrier);
    for UnconnectedTexts { key, strangers, count } in under {
        if strangers.iter().all(|&stranger| state.root(stranger) == root) {
            families.remember(key, carrier, entered, count);
        }
    }
}

/// Living texts that share keys of the main pass with a text and are not connected with it, key by key; under a key that more
/// than its cap hold only the first ones that are kept.
fn strangers(holdings: &IndexState, carrier: u32, keys: &[TableKey]) -> Vec<UnconnectedTexts> {
    let (state, root) = (&holdings.state, holdings.state.root(carrier));
    let mut all = Vec::new();
    holdings.stock.look_up(holdings.main(keys), |under| {
        let (mut strangers, mut count) = (Vec::new(), 0);
        let is_stranger = |number: u32| state.carries(number) && state.root(number) != root;
        let mut look = |number: u32| {
            count += 1;
            if is_stranger(number) {
                strangers.push(number);
            }
        };
        match holdings.families.known(under.key, state, carrier) {
            Some(entered) => under.since(entered, &mut look),
            None => under.all(&mut look),
        }
        if strangers.len() > holdings.passes.cap_of(under.key) {
            strangers.clear();
            holdings.lead(&under, is_stranger, &mut strangers);
            // Those beyond the cap are strangers, too.
            count = 0;
        }
        all.push(UnconnectedTexts { key: under.key, strangers, count });
    });
    all
}
