//! A histogram of scores in hundredths.

use serde::{Deserialize, Serialize};

use crate::Fraction;

/// Number of bins from 0 to 1.
pub const BINS: usize = 100;

/// Numbers of pairs by score. Bin i counts scores from i/100 up to, but not including, (i+1)/100; the last bin includes 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// Pairs that met the measure. At most [`BINS`] bins are drawn; missing ones are empty.
    pub accepted: Vec<u64>,
    /// Candidate pairs that did not meet it.
    pub rejected: Vec<u64>,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram { accepted: vec![0; BINS], rejected: vec![0; BINS] }
    }
}

impl Histogram {
    /// Counts a pair that met the measure.
    pub fn accept(&mut self, score: Fraction) {
        count(&mut self.accepted, score);
    }

    /// Counts a candidate pair that did not.
    pub fn reject(&mut self, score: Fraction) {
        count(&mut self.rejected, score);
    }
}

fn count(bins: &mut Vec<u64>, score: Fraction) {
    let bin = score.bin();
    if bins.len() <= bin {
        bins.resize(BINS, 0);
    }
    bins[bin] += 1;
}
