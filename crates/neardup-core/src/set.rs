//! Feature sets: made distinct, and counted against each other.

/// An open-addressing table of one feature set, reused from document to document.
#[derive(Default)]
pub struct Probe {
    slots: Vec<u64>,
    mask: usize,
}

impl Probe {
    /// Forgets the last set and makes room for `count` features.
    fn clear(&mut self, count: usize) {
        let size = (2 * count).next_power_of_two().max(16);
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        self.slots[..size].fill(0);
        self.mask = size - 1;
    }

    // Empty slots are 0, and no feature is: `distinct` writes the feature 0 as 1.
    #[inline]
    fn insert(&mut self, feature: u64) -> bool {
        let mut at = slot(feature) & self.mask;
        loop {
            match self.slots[at] {
                0 => {
                    self.slots[at] = feature;
                    return true;
                }
                held if held == feature => return false,
                _ => at = (at + 1) & self.mask,
            }
        }
    }

    #[inline]
    fn holds(&self, feature: u64) -> bool {
        let mut at = slot(feature) & self.mask;
        loop {
            match self.slots[at] {
                0 => return false,
                held if held == feature => return true,
                _ => at = (at + 1) & self.mask,
            }
        }
    }

    /// Removes repeated features, keeps the order of first occurrence, and leaves the set in the table. The feature
    /// 0 is taken as 1: one more chance in 2^63 of two features being taken for equal.
    pub fn distinct(&mut self, features: &mut Vec<u64>) {
        self.clear(features.len());
        features.retain_mut(|feature| {
            *feature = (*feature).max(1);
            self.insert(*feature)
        });
    }

    /// Puts a set that is distinct already into the table.
    pub fn fill(&mut self, features: &[u64]) {
        self.clear(features.len());
        for &feature in features {
            self.insert(feature);
        }
    }

    /// How many of the distinct `features` stand in the table.
    pub fn shared(&self, features: &[u64]) -> u32 {
        features.iter().map(|&feature| u32::from(self.holds(feature))).sum()
    }
}

#[inline]
fn slot(feature: u64) -> usize {
    (feature >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn counts_like_a_hash_set(left in proptest::collection::vec(1u64..400, 0..300), right in proptest::collection::vec(1u64..400, 0..300)) {
            let (mut l, mut r) = (left.clone(), right.clone());
            let mut probe = Probe::default();
            probe.distinct(&mut r);
            probe.distinct(&mut l);
            let (a, b): (HashSet<u64>, HashSet<u64>) = (left.into_iter().collect(), right.into_iter().collect());
            prop_assert_eq!(l.len(), a.len());
            let expected = a.intersection(&b).count() as u32;
            prop_assert_eq!(probe.shared(&r), expected);
            probe.fill(&r);
            prop_assert_eq!(probe.shared(&l), expected);
        }
    }
}
