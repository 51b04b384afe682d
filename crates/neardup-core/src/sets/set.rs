//! Feature sets: distinct features, and the number that two sets share.

use crate::measures::Overlap;
use crate::util::index::HashIndex;

/// The largest number of features whose positions are stored in 16 bits.
const SMALL: usize = u16::MAX as usize;
/// Slots for each feature. A low load means few branches that the processor mispredicts.
const SPREAD: usize = 8;
/// Slots for each feature of a set so large that it does not fit the caches anyway.
const LARGE_SPREAD: usize = 2;

/// A set of features in the order of their first occurrence, with an index. Its buffers are reused for each document.
#[derive(Default)]
pub struct Set {
    features: Vec<u64>,
    is_large: bool,
    // Half as wide as the other index, it stays in the first caches longer.
    small: HashIndex<u16>,
    large: HashIndex<u32>,
}

impl Set {
    /// Replaces the set with the features that `write` adds to an empty vector, without repeats.
    pub fn make(&mut self, write: impl FnOnce(&mut Vec<u64>)) {
        self.features.clear();
        write(&mut self.features);
        self.is_large = self.features.len() > SMALL;
        if self.is_large {
            self.large.distinct(&mut self.features, LARGE_SPREAD);
        } else {
            self.small.distinct(&mut self.features, SPREAD);
        }
    }

    /// Replaces the set with `features`, and returns them without repeats.
    pub fn distinct(&mut self, features: &[u64]) -> &[u64] {
        self.make(|room| room.extend_from_slice(features));
        &self.features
    }

    /// Returns the distinct features.
    pub fn features(&self) -> &[u64] {
        &self.features
    }

    /// Returns the overlap of this set, as the left one, with distinct features, as the right one.
    pub fn overlap(&self, right: &[u64]) -> Overlap {
        Overlap { shared: self.shared(right), left: self.features.len() as u32, right: right.len() as u32 }
    }

    /// Returns the number of the distinct `features` that the set contains.
    fn shared(&self, features: &[u64]) -> u32 {
        if self.is_large { self.large.shared(&self.features, features) } else { self.small.shared(&self.features, features) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Features that are shifted far enough share a slot.
    fn features(count: usize) -> impl Strategy<Value = Vec<u64>> {
        proptest::collection::vec((0u64..300, 0u32..3).prop_map(|(low, by)| low << (20 * by)), 0..count)
    }

    proptest! {
        #[test]
        fn counts_like_a_hash_set(left in features(300), right in features(300)) {
            let mut seen = HashSet::new();
            let firsts: Vec<u64> = left.iter().copied().filter(|&feature| seen.insert(feature)).collect();
            let other: HashSet<u64> = right.iter().copied().collect();
            let expected = seen.intersection(&other).count() as u32;
            let (mut l, mut r) = (Set::default(), Set::default());
            l.make(|out| out.extend(&left));
            r.make(|out| out.extend(&right));
            prop_assert_eq!(l.features(), &firsts[..]);
            prop_assert_eq!(l.shared(r.features()), expected);
            prop_assert_eq!(l.overlap(r.features()), Overlap { shared: expected, left: seen.len() as u32, right: other.len() as u32 });
            prop_assert_eq!(r.shared(l.features()), expected);
            prop_assert_eq!(Set::default().shared(l.features()), 0);
            l.make(|_| ());
            prop_assert_eq!((l.shared(r.features()), r.shared(l.features())), (0, 0));
        }
    }

    #[test]
    fn the_largest_small_set_and_larger_ones() {
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut set = Set::default();
        for count in [SMALL - 1, SMALL, SMALL + 1, 2 * SMALL] {
            let features: Vec<u64> = (0..count as u64).map(spread).collect();
            set.make(|out| out.extend_from_slice(&features));
            assert_eq!(set.features(), features);
            assert_eq!((set.shared(&features), set.shared(&[spread(u64::MAX)])), (count as u32, 0));
            set.make(|out| out.extend(features.iter().chain(&features)));
            assert_eq!(set.features(), features);
            assert_eq!(set.shared(&features), count as u32);
        }
    }
}
