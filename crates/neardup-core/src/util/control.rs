//! Control: how long work is watched and stopped from outside.

use crate::Result;

/// Watches one phase of a run.
pub trait PhaseControl: Sync {
    /// An error when the work is to stop.
    fn check(&self) -> Result<()>;
    /// Counts `amount` more of the phase as done.
    fn advance(&self, amount: u64);
}
