//! Frequencies: the number of documents that contain each feature, in one byte for each.

use crate::util::radix_partition::RadixPartition;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// Parts of the table, each written by one thread at a time. Features are partitioned first, so that their cells are in
/// the cache.
const PARTS: usize = 1 << 8;

/// A table of counters. Features may share a counter, so a count may be too high, but never too low.
pub struct Frequencies {
    cells: Vec<AtomicU8>,
    turns: Vec<Mutex<()>>,
}

/// Buffer in which lists of features are partitioned, reused for each list.
pub type FrequencyScratch = RadixPartition<u64>;

impl Frequencies {
    /// The value at which a counter saturates.
    pub const MOST: u8 = u8::MAX;

    /// Creates a table for counting this number of features.
    pub fn new(features: usize) -> Self {
        Frequencies {
            cells: (0..Self::bytes(features)).map(|_| AtomicU8::new(0)).collect(),
            turns: (0..PARTS).map(|_| Mutex::new(())).collect(),
        }
    }

    /// Returns the size in bytes of a table for this number of features.
    pub fn bytes(features: usize) -> usize {
        // Parts do not share cells.
        features.max(1).next_multiple_of(PARTS)
    }

    /// Adds one to the counter of each of the features.
    pub fn count(&self, features: &[u64], room: &mut FrequencyScratch) {
        room.out(features, PARTS, |feature| scaled(feature, PARTS));
        for (part, turn) in self.turns.iter().enumerate() {
            let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
            for &feature in &room.entries[room.place(part)] {
                let cell = self.cell(feature);
                cell.store(cell.load(Ordering::Relaxed).saturating_add(1), Ordering::Relaxed);
            }
        }
    }

    /// Returns the count of a feature, or a higher count if another feature shares its cell. [`Frequencies::MOST`]
    /// means this count or more.
    #[inline]
    pub fn of(&self, feature: u64) -> u8 {
        self.cell(feature).load(Ordering::Relaxed)
    }

    #[inline]
    fn cell(&self, feature: u64) -> &AtomicU8 {
        &self.cells[scaled(feature, self.cells.len())]
    }
}

/// Returns the position of a feature among `places`. The order of features is the same for any number of places.
#[inline]
fn scaled(feature: u64, places: usize) -> usize {
    let spread = feature.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((u128::from(spread) * places as u128) >> u64::BITS) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rayon::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn never_too_seldom(lists in proptest::collection::vec(proptest::collection::vec(0u64..40, 0..60), 0..40), features in 0usize..2000) {
            let frequencies = Frequencies::new(features);
            lists.par_iter().for_each_init(FrequencyScratch::default, |room, list| frequencies.count(list, room));
            let mut counts: HashMap<u64, u64> = HashMap::new();
            lists.iter().flatten().for_each(|&feature| *counts.entry(feature).or_default() += 1);
            for (&feature, &count) in &counts {
                let sharing: u64 = counts.keys().filter(|&&other| scaled(other, frequencies.cells.len()) == scaled(feature, frequencies.cells.len())).map(|other| counts[other]).sum();
                prop_assert!(sharing >= count);
                prop_assert_eq!(u64::from(frequencies.of(feature)), sharing.min(u64::from(Frequencies::MOST)));
            }
        }
    }
}
