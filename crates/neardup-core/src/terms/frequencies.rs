//! Frequencies: how many documents hold each feature, in a byte for each.

use crate::util::radix_partition::RadixPartition;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// Parts of the table, each written by one thread at a time: features that are dealt out to them find their cells in the cache.
const PARTS: usize = 1 << 8;

/// A table of counters. Features may share one, so a feature is counted too often at times, but never too seldom.
pub struct Frequencies {
    cells: Vec<AtomicU8>,
    turns: Vec<Mutex<()>>,
}

/// Room in which one list of features after another is dealt out.
pub type FrequencyScratch = RadixPartition<u64>;

impl Frequencies {
    /// No feature is counted further.
    pub const MOST: u8 = u8::MAX;

    /// A table to count this many features in.
    pub fn new(features: usize) -> Self {
        Frequencies {
            cells: (0..Self::bytes(features)).map(|_| AtomicU8::new(0)).collect(),
            turns: (0..PARTS).map(|_| Mutex::new(())).collect(),
        }
    }

    /// The bytes that a table for this many features takes.
    pub fn bytes(features: usize) -> usize {
        // Every part has cells of its own.
        features.max(1).next_multiple_of(PARTS)
    }

    /// Counts every one of the features once more.
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

    /// How often a feature was counted or, where another has the same cell, more often; [`Frequencies::MOST`] may represent more.
    #[inline]
    pub fn of(&self, feature: u64) -> u8 {
        self.cell(feature).load(Ordering::Relaxed)
    }

    #[inline]
    fn cell(&self, feature: u64) -> &AtomicU8 {
        &self.cells[scaled(feature, self.cells.len())]
    }
}

/// The place of a feature among this many, alike in order for any number of them.
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
