//! An index: where in a list of features each is.

/// Open addressing over places, from 1; 0 is an empty slot. The list itself is elsewhere.
#[derive(Default)]
pub struct HashIndex<P> {
    slots: Vec<P>,
}

impl<P: Copy + Default + Into<u32> + TryFrom<u32>> HashIndex<P> {
    /// Removes repeated features, keeps the order of first occurrence, and names the places of what remains, with
    /// `spread` slots or more for each. Their number must fit in a slot.
    pub fn distinct(&mut self, features: &mut Vec<u64>, spread: usize) {
        self.slots.clear();
        self.slots.resize((spread * features.len()).next_power_of_two(), P::default());
        let mut count = 0;
        for index in 0..features.len() {
            let feature = features[index];
            // Written first: slots name the first `count` places, or this one.
            features[count] = feature;
            if let Err(slot) = self.find(features, feature) {
                count += 1;
                self.slots[slot] = P::try_from(count as u32).unwrap_or_default();
            }
        }
        features.truncate(count);
    }

    /// How many of `others` are among the features, which are those of the last call.
    pub fn shared(&self, features: &[u64], others: &[u64]) -> u32 {
        if features.is_empty() {
            return 0;
        }
        others.iter().map(|&other| u32::from(self.find(features, other).is_ok())).sum()
    }

    /// The place of a feature, from 1; 0 for one that is not among the features, which are those of the last call.
    pub fn place(&self, features: &[u64], feature: u64) -> u32 {
        self.find(features, feature).unwrap_or(0) as u32
    }

    /// The place of the feature, from 1, else the slot it would take.
    #[inline]
    fn find(&self, features: &[u64], feature: u64) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = (feature >> 20) as usize & mask;
        loop {
            match self.slots[slot].into() as usize {
                0 => return Err(slot),
                place if features[place - 1] == feature => return Ok(place),
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}
