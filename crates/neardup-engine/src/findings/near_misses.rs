//! Near-misses: pairs that were compared in full and failed, and the number of comparisons.

use crate::findings::pairs::ScoredPair;
use neardup_core::decide::effort::Effort;
use neardup_core::decide::misses::{NEAREST, millionths};
use serde::{Deserialize, Serialize};

/// The effort of a run, and its failed comparisons as pairs of documents.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct NearMisses {
    /// Number of failed comparisons by resemblance, in hundredths.
    pub histogram: Vec<u64>,
    /// The nearest pairs, best first within a batch.
    pub nearest: Vec<ScoredPair>,
    /// Number of comparisons.
    pub effort: Effort,
}

impl NearMisses {
    /// Adds the near-misses of another batch or pass.
    pub fn append(&mut self, mut others: NearMisses) {
        self.effort += others.effort;
        self.histogram.resize(others.histogram.len().max(self.histogram.len()), 0);
        self.histogram.iter_mut().zip(others.histogram).for_each(|(count, more)| *count += more);
        self.nearest.append(&mut others.nearest);
        self.nearest.sort_by_key(|miss| std::cmp::Reverse(millionths(miss.overlap)));
        self.nearest.truncate(NEAREST);
    }
}
