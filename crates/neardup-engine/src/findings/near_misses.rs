//! Near misses: pairs that were compared in full and failed, and how many comparisons there were.

use crate::findings::pairs::ScoredPair;
use neardup_core::decide::effort::Effort;
use neardup_core::decide::misses::{NEAREST, millionths};
use serde::{Deserialize, Serialize};

/// How much was compared, and what of it failed, in documents.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NearMisses {
    /// By resemblance, in hundredths.
    pub histogram: Vec<u64>,
    /// The nearest pairs, best first within a batch.
    pub nearest: Vec<ScoredPair>,
    /// How much was compared.
    pub effort: Effort,
}

impl NearMisses {
    /// Adds those of another batch or pass.
    pub fn append(&mut self, mut others: NearMisses) {
        self.effort += others.effort;
        self.histogram.resize(others.histogram.len().max(self.histogram.len()), 0);
        self.histogram.iter_mut().zip(others.histogram).for_each(|(count, more)| *count += more);
        self.nearest.append(&mut others.nearest);
        self.nearest.sort_by_key(|miss| std::cmp::Reverse(millionths(miss.overlap)));
        self.nearest.truncate(NEAREST);
    }
}
