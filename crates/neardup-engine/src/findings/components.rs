//! One document for each component: the decisions of dedup if chains of pairs connect duplicates.
//!
//! Of each component the first document in policy order is kept. The maximum spanning forest of the pairs is unique, so its paths
//! from the kept document are, too: every other document is dropped for the one before it on its path, which it truly meets.

use crate::Result;
use crate::documents::copy_groups::CopyGroups;
use crate::findings::decisions::DroppedDocument;
use crate::findings::pairs::{PairRow, ScoredPair};
use crate::findings::pass_context::PassContext;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::List;
use std::collections::{BTreeMap, VecDeque};

/// A first and its copy.
type CopyPair = (DocId, DocId);

/// Returns the documents that a pass drops, ascending. `edges` is the spanning forest of the documents that represent themselves.
pub fn decide(context: &PassContext<'_>, groups: &CopyGroups, edges: &List<PairRow>) -> Result<Vec<DroppedDocument>> {
    let signed = context.signed;
    // For each document the pairs of the forest, each with the document on the left.
    let mut pairs: BTreeMap<DocId, Vec<ScoredPair>> = BTreeMap::new();
    let mut add = |pair: ScoredPair| {
        pairs.entry(pair.left).or_default().push(pair);
        pairs.entry(pair.right).or_default().push(reversed(pair));
    };
    for part in edges.parts(context.store()) {
        part.map_err(neardup_core::Error::from)?.into_iter().for_each(|row| add(row.into()));
    }
    let (counted, apart): (Vec<&CopyPair>, Vec<&CopyPair>) = groups.copies.pairs.iter().partition(|pair| signed.counts(pair.0, pair.1));
    let firsts: Vec<DocId> = counted.chunk_by(|one, other| one.0 == other.0).map(|group| group[0].0).collect();
    let sizes: BTreeMap<DocId, u32> = firsts.iter().copied().zip(signed.sizes(context.pass, &firsts)?).collect();
    for &(first, copy) in counted {
        let size = sizes.get(&first).copied().unwrap_or_default();
        let overlap = Overlap { shared: size, left: size, right: size };
        let (rule, pass) = (groups.rule(first, first, copy), context.number as u32);
        add(ScoredPair { left: first, right: copy, rule, pass, overlap, value: PairValue::NONE });
    }
    // A copy whose pair with its first does not count is connected as the first is.
    for &(first, copy) in apart {
        let nearest = pairs.get(&first).and_then(|pairs| pairs.iter().min_by_key(|pair| context.position(pair.right)));
        if let Some(&nearest) = nearest {
            let rule = groups.rule_of_kin((first, copy), (nearest.right, nearest.right)).unwrap_or(nearest.rule);
            let own = ScoredPair { left: copy, rule, ..nearest };
            pairs.entry(copy).or_default().push(own);
            pairs.entry(own.right).or_default().push(reversed(own));
        }
    }
    let mut order: Vec<DocId> = pairs.keys().copied().collect();
    order.sort_unstable_by_key(|&document| context.position(document));
    let mut is_reached = vec![false; signed.len()];
    let mut dropped = Vec::new();
    for head in order {
        let mut queue = VecDeque::from([head].map(|head| (!std::mem::replace(&mut is_reached[head.index()], true)).then_some(head)));
        while let Some(Some(document)) = queue.pop_front() {
            for pair in pairs.get(&document).into_iter().flatten() {
                if !std::mem::replace(&mut is_reached[pair.right.index()], true) {
                    queue.push_back(Some(pair.right));
                    if !signed.is_reference(pair.right) {
                        dropped.push(DroppedDocument::from(reversed(*pair)));
                    }
                }
            }
        }
    }
    dropped.sort_unstable_by_key(|dropped| dropped.document);
    Ok(dropped)
}

fn reversed(pair: ScoredPair) -> ScoredPair {
    ScoredPair { left: pair.right, right: pair.left, overlap: pair.overlap.reversed(), ..pair }
}
