//! Control: lets a caller watch long work, and stop it.

use crate::Result;

/// Watches one phase of a run.
pub trait PhaseControl: Sync {
    /// Returns an error when the work is to stop.
    fn check(&self) -> Result<()>;
    /// Counts `amount` more units of the phase as done.
    fn advance(&self, amount: u64);
}
