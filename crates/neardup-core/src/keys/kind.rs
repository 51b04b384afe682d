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
    /// It ties every document to its first.
    Star,
}

impl Kind {
    /// Whether it drops values of a signature that are held too often.
    pub fn drops_values(&self) -> bool {
        self.over == Over::Drop && self.cap.is_some() && matches!(self.keys, Keys::Each(_))
    }
}
