//! Kinds of keys: a pass may ask for several, and documents that enough keys of one kind join are candidates.

use super::Keys;
use crate::util::ratio::Ratio;
use std::sync::Arc;

/// One kind of keys: how they are cut, and what happens to one that too many documents share.
#[derive(Clone, Debug)]
pub struct KeyKind {
    /// How they are cut.
    pub keys: Keys,
    /// A key held by more documents than this is capped; None is no cap.
    pub cap: Option<u32>,
    /// What capping does.
    pub over: OverCap,
    /// Which keys are replaced by rarer ones; None where that may lose pairs, or where a cap is stated.
    pub common: Option<RareKeys>,
    /// Keys, each with its table among those of this kind, that are known to be held by more documents than the cap, or than give
    /// way to rarer ones, however few of these are here; ascending.
    pub foreseen: Arc<Vec<(u32, u32)>>,
}

/// Keys that give way to rarer ones ([`crate::candidates::common_keys`]), which propose every pair of their documents that can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RareKeys {
    /// Those held by more documents than this.
    pub above: u32,
    /// No pair of a lower resemblance holds.
    pub threshold: Ratio,
}

/// What happens to a key that too many documents share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverCap {
    /// It proposes no pair.
    Drop,
    /// Its documents are compared with its first ones only: in [`crate::decide::pairs`] with the first, else with the first leaders.
    Star,
}

impl KeyKind {
    /// Whether a key that this many documents hold is capped.
    #[inline]
    pub fn caps(&self, documents: usize) -> bool {
        self.cap.is_some_and(|cap| documents > cap as usize)
    }

    /// Whether a key of a table is capped that this many documents here hold.
    #[inline]
    pub fn caps_key(&self, table: usize, key: u32, documents: usize) -> bool {
        self.caps(documents) || self.common.is_none() && self.foresees(table, key)
    }

    /// Whether a key of a table is known to be held by many.
    #[inline]
    pub fn foresees(&self, table: usize, key: u32) -> bool {
        self.foreseen.binary_search(&(table as u32, key)).is_ok()
    }

    /// Whether it drops values of a signature that are held too often.
    pub fn drops_values(&self) -> bool {
        self.over == OverCap::Drop && self.cap.is_some() && matches!(self.keys, Keys::Each(_))
    }
}
