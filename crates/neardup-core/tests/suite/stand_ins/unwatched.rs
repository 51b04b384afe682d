//! A control that nobody watches.

use neardup_core::util::control::Control;

pub struct Unwatched;

impl Control for Unwatched {
    fn check(&self) -> neardup_core::Result<()> {
        Ok(())
    }

    fn advance(&self, _: u64) {}
}
