//! Hash index: finds the place of a feature in a list.

/// Open addressing over places, which are counted from 1; 0 marks an empty slot. The list itself is stored elsewhere.
#[derive(Default)]
pub struct HashIndex<P> {
    slots: Vec<P>,
}

impl<P: Copy + Default + Into<u32> + TryFrom<u32>> HashIndex<P> {
    /// Removes repeated features, keeps the order of first occurrence, and indexes the remaining features. The table has at
    /// least `spread` slots per feature. The number of features must fit in a slot.
    pub fn distinct(&mut self, features: &mut Vec<u64>, spread: usize) {
        self.slots.clear();
        self.slots.resize((spread * features.len()).next_power_of_two(), P::default());
        let mut count = 0;
        for index in 0..features.len() {
            let feature = features[index];
            // Written before the slot is set: slots refer to the first `count` features, or to this one.
            features[count] = feature;
            if let Err(slot) = self.find(features, feature) {
                count += 1;
                self.slots[slot] = P::try_from(count as u32).unwrap_or_default();
            }
        }
        features.truncate(count);
    }

    /// Returns the number of `others` that occur in `features`, which must be those of the last call of `distinct`.
    pub fn shared(&self, features: &[u64], others: &[u64]) -> u32 {
        if features.is_empty() {
            return 0;
        }
        others.iter().map(|&other| u32::from(self.find(features, other).is_ok())).sum()
    }

    /// Returns the place of `feature`, from 1, or 0 if it does not occur in `features`, which must be those of the last
    /// call of `distinct`.
    pub fn place(&self, features: &[u64], feature: u64) -> u32 {
        self.find(features, feature).unwrap_or(0) as u32
    }

    /// Returns the place of `feature`, from 1, or as an error the slot that it would take.
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
