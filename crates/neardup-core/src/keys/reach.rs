//! Reach: the largest size of a set that resembles another one, by the place of the first feature that they share.

use crate::util::ids::DocId;
use crate::util::ratio::Ratio;
use bytemuck::{Pod, Zeroable};

/// A set, as seen from one of its features: the first in a common order that it shares with another set.
///
/// Sets A and B of resemblance p/q or more share s >= p / (p + q) (|A| + |B|) features. If A has r features from the first
/// shared one on, then s <= r, so |B| <= r (p + q) / p - |A|. The same is true with A and B exchanged. That is the
/// positional filter (Xiao, Wang, Lin, Yu 2008), computed from each set alone.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub struct Reach {
    /// Number of distinct features of the set.
    size: u32,
    /// Largest number of features of a set that resembles it.
    most: u32,
}

impl Reach {
    /// Creates the reach of a set of `size` features, with `from` of them from the shared one on.
    pub fn new(threshold: Ratio, size: usize, from: usize) -> Self {
        let (p, q) = (u128::from(threshold.numerator), u128::from(threshold.denominator));
        let both = (from as u128 * (p + q)).checked_div(p).unwrap_or(u128::MAX);
        let narrow = |count: u128| u32::try_from(count).unwrap_or(u32::MAX);
        Reach { size: narrow(size as u128), most: narrow(both.saturating_sub(size as u128)) }
    }

    /// Returns false only if the two sets do not resemble each other.
    pub fn meets(self, other: Reach) -> bool {
        self.size <= other.most && other.size <= self.most
    }
}

/// Buffers for finding partners in one list after another.
#[derive(Default)]
pub struct ReachScratch {
    /// Sets with their documents, ascending by size.
    ranked: Vec<(Reach, DocId)>,
    /// For each place in `ranked`, the two sets up to it that reach furthest, each as its reach and its document.
    furthest: Vec<[(u32, DocId); 2]>,
}

impl ReachScratch {
    /// Calls `each` with every document that meets one of the others, in no particular order. A document has one set.
    pub fn partnered(&mut self, sets: impl Iterator<Item = (Reach, DocId)>, mut each: impl FnMut(DocId)) {
        let ReachScratch { ranked, furthest } = self;
        ranked.clear();
        ranked.extend(sets);
        ranked.sort_unstable();
        furthest.clear();
        let mut two = [(0, DocId::NONE); 2];
        for &(Reach { most, .. }, document) in ranked.iter() {
            if most >= two[0].0 {
                two = [(most, document), two[0]];
            } else if most > two[1].0 {
                two[1] = (most, document);
            }
            furthest.push(two);
        }
        for &(Reach { size, most }, document) in ranked.iter() {
            // `small` sets are small enough. The two of them that reach furthest suffice, because one may be this
            // document's own.
            let small = ranked.partition_point(|(other, _)| other.size <= most);
            let others = small.checked_sub(1).map_or(&[][..], |last| &furthest[last]);
            if others.iter().any(|&(most, other)| other != document && most >= size) {
                each(document);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn who_resembles_another_meets_it(
            left in proptest::collection::btree_set(0u64..30, 1..20),
            right in proptest::collection::btree_set(0u64..30, 1..20),
            (p, q) in (1u64..=20, 1u64..=20),
        ) {
            let threshold = Ratio { numerator: p.min(q), denominator: p.max(q) };
            let shared: BTreeSet<u64> = left.intersection(&right).copied().collect();
            let union = left.len() + right.len() - shared.len();
            if let Some(first) = shared.first() && threshold.at_least(shared.len() as u64, union as u64) {
                let reach = |set: &BTreeSet<u64>| Reach::new(threshold, set.len(), set.range(first..).count());
                prop_assert!(reach(&left).meets(reach(&right)));
            }
        }

        #[test]
        fn partners_are_found(sets in proptest::collection::vec((1u32..12, 0u32..12), 0..12)) {
            let sets: Vec<Reach> = sets.into_iter().map(|(size, most)| Reach { size, most }).collect();
            let meets_another = |at: &usize| (0..sets.len()).any(|other| other != *at && sets[*at].meets(sets[other]));
            let mut found = Vec::new();
            ReachScratch::default().partnered(sets.iter().copied().zip(DocId::FIRST.onwards()), |document| found.push(document.index()));
            found.sort_unstable();
            prop_assert_eq!(found, (0..sets.len()).filter(meets_another).collect::<Vec<_>>());
        }
    }
}
