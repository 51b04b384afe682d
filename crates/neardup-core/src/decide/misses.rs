//! Misses: pairs that were compared in full and failed. The nearest of them show how the threshold cuts.

use crate::measures::Overlap;
use crate::util::ids::CandidateId;
use std::cmp::Reverse;

/// Number of nearest misses that are kept.
pub const NEAREST: usize = 32;
/// Bins of the score histogram, each 1/100 wide. A score of 1 is in the last bin.
pub const BINS: usize = 100;

/// Two candidates that do not meet the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss {
    /// One candidate.
    pub left: CandidateId,
    /// The other.
    pub right: CandidateId,
    /// The features that both share.
    pub overlap: Overlap,
}

/// The failed comparisons, by resemblance.
#[derive(Clone, Debug)]
pub struct Misses {
    /// Number of failed comparisons per bin of resemblance.
    pub histogram: [u64; BINS],
    /// The nearest misses, best first, each pair once.
    pub nearest: Vec<Miss>,
}

impl Default for Misses {
    fn default() -> Self {
        Misses { histogram: [0; BINS], nearest: Vec::new() }
    }
}

impl Misses {
    /// Adds one failed comparison.
    pub fn note(&mut self, miss: Miss) {
        self.histogram[bin(miss.overlap)] += 1;
        self.offer(Miss {
            left: miss.left.max(miss.right),
            right: miss.left.min(miss.right),
            overlap: if miss.left < miss.right { miss.overlap.reversed() } else { miss.overlap },
        });
    }

    /// Adds all failed comparisons of `other`.
    pub fn merge(&mut self, other: &Misses) {
        self.histogram.iter_mut().zip(other.histogram).for_each(|(count, more)| *count += more);
        other.nearest.iter().for_each(|&miss| self.offer(miss));
    }

    fn offer(&mut self, miss: Miss) {
        let nearer = |kept: &Miss| {
            (Reverse(millionths(kept.overlap)), kept.left, kept.right) < (Reverse(millionths(miss.overlap)), miss.left, miss.right)
        };
        let at = self.nearest.partition_point(nearer);
        if at < NEAREST && self.nearest.get(at) != Some(&miss) {
            self.nearest.insert(at, miss);
            self.nearest.truncate(NEAREST);
        }
    }
}

/// Returns the histogram bin of a pair. Two empty sets count as equal.
pub fn bin(overlap: Overlap) -> usize {
    (u64::from(overlap.shared) * BINS as u64).checked_div(overlap.union()).map_or(BINS - 1, |bin| (bin as usize).min(BINS - 1))
}

/// Returns the resemblance in millionths, rounded down, to sort by.
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
