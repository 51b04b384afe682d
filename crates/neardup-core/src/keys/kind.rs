//! Kinds of keys: a pass may ask for several, and documents that enough keys of one kind join are candidates.

use super::Keys;

/// One kind of keys: how they are cut, and what happens to one that too many documents share.
#[derive(Clone, Debug)]
pub struct Kind {
    /// How they are cut.
    pub keys: Keys,
    /// A key held by more documents than this is capped; None is no cap.
    pub cap: Option<u32>,
    /// What capping does.
    pub over: Over,
}

/// What happens to a key that too many documents share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// It proposes no pair.
    Drop,
    /// Its documents are compared with its first ones only: in [`crate::pairs`] with the first, else with the first leaders.
    Star,
}

impl Kind {
    /// Whether a key that so many documents hold is capped.
    #[inline]
    pub fn caps(&self, documents: usize) -> bool {
        self.cap.is_some_and(|cap| documents > cap as usize)
    }

    /// Whether it drops values of a signature that are held too often.
    pub fn drops_values(&self) -> bool {
        self.over == Over::Drop && self.cap.is_some() && matches!(self.keys, Keys::Each(_))
    }
}
