//! A control that nobody watches.

use neardup_core::util::control::PhaseControl;

pub struct Unwatched;

impl PhaseControl for Unwatched {
    fn check(&self) -> neardup_core::Result<()> {
        Ok(())
    }

    fn advance(&self, _: u64) {}
}
