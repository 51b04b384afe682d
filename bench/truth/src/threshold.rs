//! A threshold as a fraction of integers: decisions use no floats.

use std::fmt;
use std::str::FromStr;

/// A least resemblance p/q with 0 < p <= q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    p: u64,
    q: u64,
}

impl Threshold {
    /// Returns whether two sets that share `shared` items are at or above the threshold: shared / union >= p / q.
    pub fn holds(self, shared: usize, left: usize, right: usize) -> bool {
        let (shared, total) = (shared as u64, (left + right) as u64);
        self.q * shared >= self.p * (total - shared)
    }

    /// Returns the least overlap of two sets at or above the threshold: ceil(p (left + right) / (p + q)).
    pub fn least_overlap(self, left: usize, right: usize) -> usize {
        (self.p * (left + right) as u64).div_ceil(self.p + self.q) as usize
    }

    /// Returns the least size of a set that can reach the threshold with a set of `size`: ceil(p size / q).
    pub fn least_size(self, size: usize) -> usize {
        (self.p * size as u64).div_ceil(self.q) as usize
    }
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no fraction p/q with 0 < p <= q <= 1000000, for example 4/5");
        let (p, q) = text.split_once('/').ok_or_else(wrong)?;
        let (p, q) = (p.parse::<u64>().map_err(|_| wrong())?, q.parse::<u64>().map_err(|_| wrong())?);
        if p == 0 || p > q || q > 1_000_000 {
            return Err(wrong());
        }
        Ok(Self { p, q })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.p, self.q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_overlap_is_the_first_that_holds() {
        for line in ["1/2", "4/5", "7/10", "1/1", "3/10", "999/1000"] {
            let threshold: Threshold = line.parse().expect("a fraction");
            for left in 1..60 {
                for right in 1..60 {
                    let least = (0..=left + right).find(|&shared| threshold.holds(shared, left, right));
                    assert_eq!(least, Some(threshold.least_overlap(left, right)), "{line} {left} {right}");
                    if threshold.holds(left.min(right), left, right) {
                        assert!(right >= threshold.least_size(left), "{line} {left} {right}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_texts_than_fractions_are_refused() {
        for line in ["", "0.8", "0/5", "6/5", "4/0", "-1/5", "4/5/6"] {
            assert!(line.parse::<Threshold>().is_err(), "{line}");
        }
    }
}
