//! Ascending: features sorted, and each of them once.

use crate::util::radix_partition::RadixPartition;

/// Parts for a feature, as a power of two.
const SPREAD: u32 = 2;
/// The most parts, as a power of two: a table of as many stays in the second cache.
const MOST: u32 = 14;

/// Room to sort one list of features after another.
#[derive(Default)]
pub struct SortDedup {
    partition: RadixPartition<u64>,
}

impl SortDedup {
    /// The distinct `features`, ascending.
    ///
    /// Fingerprints are spread evenly, so that hardly two share their highest bits: dealt out by these, they are in order
    /// except for a few, whose parts are sorted.
    pub fn distinct(&mut self, features: &[u64]) -> &[u64] {
        let bits = (features.len().max(1).ilog2() + SPREAD).min(MOST);
        let part = |feature: u64| (feature >> (u64::BITS - bits)) as usize;
        self.partition.out(features, 1 << bits, part);
        let mut at = 1;
        while at < features.len() {
            let [before, feature] = [at - 1, at].map(|at| self.partition.entries[at]);
            if before > feature {
                let place = self.partition.place(part(feature));
                at = place.end;
                self.partition.entries[place].sort_unstable();
            }
            at += 1;
        }
        let entries = &mut self.partition.entries;
        let Some(&first) = entries.first() else { return &[] };
        let (mut count, mut last) = (1, first);
        for at in 1..entries.len() {
            let feature = entries[at];
            // Without a branch: nothing foresees which features are repeated.
            entries[count] = feature;
            count += usize::from(feature != last);
            last = feature;
        }
        &entries[..count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_an_ordered_set(features in proptest::collection::vec((0u64..400, 0u32..64), 0..600)) {
            // Shifted, features are spread or share their highest bits.
            let features: Vec<u64> = features.into_iter().map(|(low, by)| low.rotate_right(by)).collect();
            let expected: Vec<u64> = features.iter().copied().collect::<BTreeSet<u64>>().into_iter().collect();
            let mut ascending = SortDedup::default();
            prop_assert_eq!(ascending.distinct(&features), &expected[..]);
            // In room that was used.
            let half = &expected[expected.len() / 2..];
            prop_assert_eq!(ascending.distinct(half), half);
            prop_assert_eq!(ascending.distinct(&[half, half].concat()), half);
        }
    }
}
