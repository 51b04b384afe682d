//! Sorts features and removes repeated ones.

use crate::util::radix_partition::RadixPartition;

/// Number of parts per feature, as a power of two.
const SPREAD: u32 = 2;
/// Maximum number of parts, as a power of two. A table of this size fits in the second-level cache.
const MOST: u32 = 14;

/// Buffers that sort one list of features after another.
#[derive(Default)]
pub struct SortDedup {
    partition: RadixPartition<u64>,
}

impl SortDedup {
    /// Returns the distinct `features`, ascending.
    ///
    /// Fingerprints are uniformly distributed, so few share their highest bits. A partition by these bits leaves nearly all
    /// of them in order; only the parts that are not in order are sorted.
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
            // Without a branch, because the processor cannot predict which features are repeated.
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
            // A rotation spreads the features or gives them equal highest bits.
            let features: Vec<u64> = features.into_iter().map(|(low, by)| low.rotate_right(by)).collect();
            let expected: Vec<u64> = features.iter().copied().collect::<BTreeSet<u64>>().into_iter().collect();
            let mut ascending = SortDedup::default();
            prop_assert_eq!(ascending.distinct(&features), &expected[..]);
            // In buffers that were used before.
            let half = &expected[expected.len() / 2..];
            prop_assert_eq!(ascending.distinct(half), half);
            prop_assert_eq!(ascending.distinct(&[half, half].concat()), half);
        }
    }
}
