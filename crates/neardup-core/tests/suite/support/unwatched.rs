//! A phase control without an observer, which never stops a phase.

use neardup_core::util::control::PhaseControl;

pub struct Unwatched;

impl PhaseControl for Unwatched {
    fn check(&self) -> neardup_core::Result<()> {
        Ok(())
    }

    fn advance(&self, _: u64) {}
}
