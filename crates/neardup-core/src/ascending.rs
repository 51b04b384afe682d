//! Ascending: features sorted, and each of them once.

use crate::deal::Deal;

/// Fewer features are sorted as they are.
const FEW: usize = 32;
/// Parts for a feature, as a power of two.
const SPREAD: u32 = 2;

/// Room to sort one list of features after another.
#[derive(Default)]
pub struct Ascending {
    deal: Deal<u64>,
}

impl Ascending {
    /// Sorts `features` and removes repeated ones.
    ///
    /// Fingerprints are spread evenly, so that hardly two share their highest bits: dealt out by these, they are in order
    /// but for a few, whose parts are sorted.
    pub fn distinct(&mut self, features: &mut Vec<u64>) {
        if features.len() < FEW {
            features.sort_unstable();
            return features.dedup();
        }
        let bits = features.len().ilog2() + SPREAD;
        let part = |feature: u64| (feature >> (u64::BITS - bits)) as usize;
        self.deal.out(features, 1 << bits, part);
        let mut at = 1;
        while at < features.len() {
            if self.deal.entries[at - 1] > self.deal.entries[at] {
                let part = self.deal.place(part(self.deal.entries[at]));
                self.deal.entries[part.clone()].sort_unstable();
                at = part.end;
            }
            at += 1;
        }
        let (mut kept, mut last) = (1, self.deal.entries[0]);
        features[0] = last;
        for &feature in &self.deal.entries[1..] {
            // Without a branch, as above hardly one is taken.
            features[kept] = feature;
            kept += usize::from(feature != last);
            last = feature;
        }
        features.truncate(kept);
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
            let mut features: Vec<u64> = features.into_iter().map(|(low, by)| low.rotate_right(by)).collect();
            let expected: Vec<u64> = features.iter().copied().collect::<BTreeSet<u64>>().into_iter().collect();
            let mut ascending = Ascending::default();
            for _ in 0..2 {
                ascending.distinct(&mut features);
                prop_assert_eq!(&features, &expected);
                features.extend_from_slice(&expected);
            }
        }
    }
}
