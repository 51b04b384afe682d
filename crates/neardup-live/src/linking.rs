//! Components while documents come and go: what verified pairs connect.

use crate::bench::Bench;
use crate::holdings::Holdings;
use std::collections::HashSet;

/// Connects a text with everything it meets.
pub fn link(holdings: &mut Holdings, carrier: u32, bench: &mut Bench) {
    link_among(holdings, carrier, bench, |_| true);
}

/// Connects these carriers anew, which were connected once and may be no more.
pub fn link_again(holdings: &mut Holdings, carriers: &[u32], bench: &mut Bench) {
    let among: HashSet<u32> = carriers.iter().copied().collect();
    for &carrier in carriers {
        // A pair is met from both sides; one is enough.
        link_among(holdings, carrier, bench, |other| other < carrier && among.contains(&other));
    }
}

fn link_among(holdings: &mut Holdings, carrier: u32, bench: &mut Bench, admits: impl Fn(u32) -> bool) {
    let mut reached = vec![holdings.state.root(carrier)];
    let keys = holdings.keys_of(carrier, bench);
    let state = &holdings.state;
    let others = holdings.all_by(&keys, |other| other != carrier && !reached.contains(&state.root(other)) && admits(other));
    let row = holdings.stock.row(carrier);
    let mut subject = bench.take(row.text, row.sketch());
    let mut met = Vec::new();
    for other in others {
        let root = state.root(other);
        if !reached.contains(&root) && subject.meets(&holdings.stock.row(other)).is_some() {
            reached.push(root);
            met.push(other);
        }
    }
    for other in met {
        holdings.state.unite(carrier, other);
    }
}
