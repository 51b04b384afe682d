use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Number of records by name: of the records that are no documents by kind, or of flawed texts by flaw.
pub type PassedOver = BTreeMap<String, u64>;

/// Counts what could be read only in part, by flaw. Threads share it.
#[derive(Debug, Default)]
pub(crate) struct Flaws(Mutex<PassedOver>);

impl Flaws {
    /// Counts `count` cases of a flaw.
    pub fn add(&self, flaw: &str, count: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(flaw.to_owned()).or_default() += count;
    }

    /// Returns the counts.
    pub fn counts(&self) -> PassedOver {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
