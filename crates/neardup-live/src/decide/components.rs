//! Components of documents connected by verified pairs, while documents are added and removed.

use crate::decide::comparer::TextComparer;
use crate::decide::index_state::IndexState;
use crate::documents::table_key::TableKey;
use neardup_core::util::ids::DocId;
use std::collections::HashSet;

/// Connects a text with everything that it matches. It may be connected with some of that already.
pub fn link(index_state: &mut IndexState, representative: DocId, comparer: &mut TextComparer) {
    link_among(index_state, representative, comparer, |_| true);
}

/// Connects the texts of a former component again, with each other only. They may have been separated.
pub fn link_again(index_state: &mut IndexState, representatives: &[DocId], comparer: &mut TextComparer) {
    let is_one =
        |index_state: &IndexState| representatives.windows(2).all(|two| index_state.state.root(two[0]) == index_state.state.root(two[1]));
    // If they are still one component, the families remain valid.
    if is_one(index_state) {
        return;
    }
    index_state.families.forget();
    let among: HashSet<DocId> = representatives.iter().copied().collect();
    for &representative in representatives {
        link_among(index_state, representative, comparer, |other| among.contains(&other));
    }
}

/// The texts under a key that a given text is not connected with.
struct UnconnectedTexts {
    key: TableKey,
    unconnected: Vec<DocId>,
    /// Number of documents that were examined; `None` if the cap left some out, so that the key is no family.
    count: Option<usize>,
}

fn link_among(index_state: &mut IndexState, representative: DocId, comparer: &mut TextComparer, admits: impl Fn(DocId) -> bool) {
    let (entered, keys) = (index_state.document_table.entered(), index_state.keys_of(representative, comparer));
    let under = unconnected(index_state, representative, &keys);
    let mut others: Vec<DocId> = under.iter().flat_map(|under| &under.unconnected).copied().filter(|&other| admits(other)).collect();
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
    for UnconnectedTexts { key, unconnected, count } in under {
        if let Some(count) = count
            && unconnected.iter().all(|&other| state.root(other) == root)
        {
            families.remember(key, representative, entered, count);
        }
    }
}

/// Returns the living texts that share keys of the main pass with a text and are not connected with it, key by key. If there are
/// more under a key than its cap, returns only the first kept ones.
fn unconnected(index_state: &IndexState, representative: DocId, keys: &[TableKey]) -> Vec<UnconnectedTexts> {
    let (state, root) = (&index_state.state, index_state.state.root(representative));
    let mut all = Vec::new();
    index_state.document_table.look_up(index_state.main(keys), |under| {
        let (mut unconnected, mut count) = (Vec::new(), 0);
        let is_unconnected = |number: DocId| state.is_representative(number) && state.root(number) != root;
        let mut look = |number: DocId| {
            count += 1;
            if is_unconnected(number) {
                unconnected.push(number);
            }
        };
        match index_state.families.known(under.key, state, representative) {
            Some(entered) => under.since(entered, &mut look),
            None => under.all(&mut look),
        }
        let is_cut = unconnected.len() > index_state.passes.cap_of(under.key);
        if is_cut {
            unconnected.clear();
            index_state.lead(&under, is_unconnected, &mut unconnected);
        }
        all.push(UnconnectedTexts { key: under.key, unconnected, count: (!is_cut).then_some(count) });
    });
    all
}
