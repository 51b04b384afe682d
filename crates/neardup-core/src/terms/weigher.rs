//! Weighers: the weight of a feature.

use crate::sets::set::Set;
use crate::terms::lexicon::Lexicon;
use std::sync::Arc;

/// Weight of one occurrence of a feature.
#[derive(Clone, Debug, Default)]
pub enum Weigher {
    /// Every distinct feature counts once, however often it occurs.
    #[default]
    One,
    /// Every occurrence counts once (tf).
    Frequency,
    /// Every occurrence counts the idf of its feature (tf * idf).
    Rarity(Arc<Lexicon>),
}

impl Weigher {
    /// Whether every occurrence of a feature counts; otherwise, each distinct feature counts once.
    pub fn counts_repeats(&self) -> bool {
        !matches!(self, Weigher::One)
    }

    /// Returns the weight of one occurrence of `feature`; an idf is in steps of 1/1024.
    #[inline]
    pub fn weight(&self, feature: u64) -> u32 {
        match self {
            Weigher::One | Weigher::Frequency => 1,
            Weigher::Rarity(lexicon) => lexicon.idf(feature),
        }
    }

    /// Returns the lexicon of the idf; `None` if the weights need none.
    pub fn lexicon(&self) -> Option<&Arc<Lexicon>> {
        match self {
            Weigher::Rarity(lexicon) => Some(lexicon),
            Weigher::One | Weigher::Frequency => None,
        }
    }

    /// Returns the features that count, with their weights; `None` if all weigh the same. `set` and `room` are buffers
    /// for reuse.
    pub fn weighed<'a>(&self, features: &'a [u64], set: &'a mut Set, room: &'a mut Vec<u32>) -> (&'a [u64], Option<&'a [u32]>) {
        match self {
            Weigher::One => (set.distinct(features), None),
            Weigher::Frequency => (features, None),
            Weigher::Rarity(lexicon) => {
                room.clear();
                room.extend(features.iter().map(|&feature| lexicon.idf(feature)));
                (features, Some(room))
            }
        }
    }

    /// Appends the distinct `features`, ascending, with the total weight of their occurrences; sorts `features`.
    pub fn weigh(&self, features: &mut [u64], out: &mut Vec<(u64, u64)>) {
        features.sort_unstable();
        for run in features.chunk_by(|left, right| left == right) {
            let times = if self.counts_repeats() { run.len() as u64 } else { 1 };
            out.push((run[0], times * u64::from(self.weight(run[0]))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_occurrences() {
        let lexicon = Lexicon::new(7, String::new(), vec![5, 9], vec![7, 3]).unwrap();
        let weighers = [Weigher::One, Weigher::Frequency, Weigher::Rarity(Arc::new(lexicon))];
        let weigh = |weigher: &Weigher| {
            let mut out = Vec::new();
            weigher.weigh(&mut [9, 5, 6, 9, 5, 5], &mut out);
            out
        };
        let expected = [[(5, 1), (6, 1), (9, 1)], [(5, 3), (6, 1), (9, 2)], [(5, 0), (6, 3072), (9, 2048)]];
        assert_eq!(weighers.each_ref().map(weigh), expected.map(|weights| weights.to_vec()));
        assert_eq!(weighers.map(|weigher| weigher.lexicon().is_some()), [false, false, true]);
    }
}
