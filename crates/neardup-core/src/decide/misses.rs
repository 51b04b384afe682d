//! Misses: pairs that were compared in full and failed; the nearest of them show where the threshold cuts.

use crate::measures::Overlap;
use crate::util::ids::CandidateId;
use std::cmp::Reverse;

/// How many of the nearest are kept.
pub const NEAREST: usize = 32;
/// Bins of the score histogram, each 1/100 wide; 1 falls into the last.
pub const BINS: usize = 100;

/// Two candidates that do not meet the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss {
    /// One candidate.
    pub left: CandidateId,
    /// The other.
    pub right: CandidateId,
    /// What they share.
    pub overlap: Overlap,
}

/// How far off the failed comparisons were.
#[derive(Clone, Debug)]
pub struct Misses {
    /// Failed comparisons by resemblance.
    pub histogram: [u64; BINS],
    /// The nearest, best first, each pair once.
    pub nearest: Vec<Miss>,
}

impl Default for Misses {
    fn default() -> Self {
        Misses { histogram: [0; BINS], nearest: Vec::new() }
    }
}

impl Misses {
    /// Takes one failed comparison.
    pub fn note(&mut self, miss: Miss) {
        self.histogram[bin(miss.overlap)] += 1;
        self.offer(Miss {
            left: miss.left.max(miss.right),
            right: miss.left.min(miss.right),
            overlap: if miss.left < miss.right { miss.overlap.reversed() } else { miss.overlap },
        });
    }

    /// Takes all of `other`.
    pub fn merge(&mut self, other: &Misses) {
        self.histogram.iter_mut().zip(other.histogram).for_each(|(count, more)| *count += more);
        other.nearest.iter().for_each(|&miss| self.offer(miss));
    }

    fn offer(&mut self, miss: Miss) {
        let nearer = |held: &Miss| {
            (Reverse(millionths(held.overlap)), held.left, held.right) < (Reverse(millionths(miss.overlap)), miss.left, miss.right)
        };
        let at = self.nearest.partition_point(nearer);
        if at < NEAREST && self.nearest.get(at) != Some(&miss) {
            self.nearest.insert(at, miss);
            self.nearest.truncate(NEAREST);
        }
    }
}

/// The histogram bin of a pair; two empty sets are equal.
pub fn bin(overlap: Overlap) -> usize {
    (u64::from(overlap.shared) * BINS as u64).checked_div(overlap.union()).map_or(BINS - 1, |bin| (bin as usize).min(BINS - 1))
}

/// Resemblance in millionths, rounded down; to sort by.
pub fn millionths(overlap: Overlap) -> u64 {
    (u64::from(overlap.shared) * 1_000_000).checked_div(overlap.union()).unwrap_or(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_first_and_once() {
        let miss = |left, right, shared| Miss {
            left: CandidateId(left),
            right: CandidateId(right),
            overlap: Overlap { shared, left: 10, right: 12 },
        };
        let mut misses = Misses::default();
        (0..100).for_each(|number| misses.note(miss(number + 200, number, number % 9)));
        misses.note(miss(208, 8, 8));
        assert_eq!(misses.nearest.len(), NEAREST);
        assert_eq!(misses.nearest[0], miss(208, 8, 8));
        assert_eq!(misses.nearest[1], miss(217, 17, 8));
        assert_eq!(misses.histogram.iter().sum::<u64>(), 101);
    }
}
