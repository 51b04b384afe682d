//! Feature sets: made distinct, and counted against each other.

/// A set of features, in order of first occurrence, with an index; its room serves document after document.
#[derive(Default)]
pub struct Set {
    features: Vec<u64>,
    /// Open addressing: the place of a feature, from 1; 0 is an empty slot.
    slots: Vec<u32>,
}

impl Set {
    /// Takes the features that `write` puts into an empty vector; repeated ones are removed.
    pub fn make(&mut self, write: impl FnOnce(&mut Vec<u64>)) {
        self.features.clear();
        write(&mut self.features);
        self.clear();
        let mut count = 0;
        for index in 0..self.features.len() {
            let feature = self.features[index];
            // A slot names a place before this one, or this one.
            self.features[count] = feature;
            if let Err(slot) = self.find(feature) {
                count += 1;
                self.slots[slot] = count as u32;
            }
        }
        self.features.truncate(count);
    }

    /// Takes features that are distinct already.
    pub fn copy(&mut self, features: &[u64]) {
        self.features.clear();
        self.features.extend_from_slice(features);
        self.clear();
        for (place, &feature) in (1..).zip(features) {
            let mut slot = self.home(feature);
            while self.slots[slot] != 0 {
                slot = self.next(slot);
            }
            self.slots[slot] = place;
        }
    }

    /// The features, distinct.
    pub fn features(&self) -> &[u64] {
        &self.features
    }

    /// How many of the distinct `features` the set has.
    pub fn shared(&self, features: &[u64]) -> u32 {
        if self.features.is_empty() {
            return 0;
        }
        features.iter().map(|&feature| u32::from(self.find(feature).is_ok())).sum()
    }

    /// Makes room for the features, all slots empty.
    fn clear(&mut self) {
        let count = self.features.len();
        // Few slots in use mean few that are met twice, whose branches the processor cannot foresee: half the time. That
        // pays while they stay in the first caches.
        let slots = if count <= 1 << 12 { 8 * count } else { 2 * count }.next_power_of_two();
        self.slots.clear();
        self.slots.resize(slots, 0);
    }

    /// Where the feature is, else its slot.
    #[inline]
    fn find(&self, feature: u64) -> Result<usize, usize> {
        let mut slot = self.home(feature);
        loop {
            match self.slots[slot] as usize {
                0 => return Err(slot),
                place if self.features[place - 1] == feature => return Ok(place - 1),
                _ => slot = self.next(slot),
            }
        }
    }

    #[inline]
    fn home(&self, feature: u64) -> usize {
        (feature >> 20) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// Shifted far enough, features share a slot.
    fn features(count: usize) -> impl Strategy<Value = Vec<u64>> {
        proptest::collection::vec((0u64..300, 0u32..3).prop_map(|(low, by)| low << (20 * by)), 0..count)
    }

    proptest! {
        #[test]
        fn counts_like_a_hash_set(left in features(300), right in features(300), more in prop_oneof![Just(0), Just(5000u64)]) {
            // More than fit beside each other sparsely.
            let left: Vec<u64> = left.into_iter().chain((0..more).map(|low| low << 19)).collect();
            let mut seen = HashSet::new();
            let firsts: Vec<u64> = left.iter().copied().filter(|&feature| seen.insert(feature)).collect();
            let other: HashSet<u64> = right.iter().copied().collect();
            let expected = seen.intersection(&other).count() as u32;
            let (mut l, mut r, mut copy) = (Set::default(), Set::default(), Set::default());
            l.make(|out| out.extend(&left));
            r.make(|out| out.extend(&right));
            prop_assert_eq!(l.features(), &firsts[..]);
            copy.copy(l.features());
            for (one, another) in [(&l, &r), (&r, &l), (&copy, &r), (&r, &copy)] {
                prop_assert_eq!(one.shared(another.features()), expected);
            }
            l.make(|_| ());
            prop_assert_eq!((l.shared(r.features()), r.shared(l.features())), (0, 0));
        }
    }
}
