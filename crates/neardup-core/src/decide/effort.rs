//! Effort: the number of comparisons, counted where they are made.

use serde::{Deserialize, Serialize};

/// Number of comparisons of a run. It depends on the documents and, slightly, on the number of documents in memory together
/// and the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Number of times that two documents met by a key and were examined, either by facts already known or by their
    /// sketches.
    pub proposed: u64,
    /// Number of times that two feature sets were compared in full.
    pub compared: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, more: Effort) {
        self.proposed += more.proposed;
        self.compared += more.compared;
    }
}
