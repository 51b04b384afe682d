//! Scores in hundredths.

use serde::{Deserialize, Serialize};

use crate::Fraction;

/// Bins from 0 to 1.
pub const BINS: usize = 100;

/// Pairs by score: bin i holds scores from i/100 up to, not including, (i+1)/100; the last one holds 1 too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// Pairs that met the measure. Up to [`BINS`] bins are drawn, missing ones are empty.
    pub accepted: Vec<u64>,
    /// Candidate pairs that did not.
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

    /// Counts a candidate that did not.
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
