//! Effort: how much was compared, counted where it is done.

use serde::{Deserialize, Serialize};

/// Comparisons of a run: by the documents, and by little by how many are in memory together and on how many threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// How often two documents met by a key and were looked at: by what was known of them already, or by their sketches.
    pub proposed: u64,
    /// How often two feature sets were compared in full.
    pub compared: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, more: Effort) {
        self.proposed += more.proposed;
        self.compared += more.compared;
    }
}
