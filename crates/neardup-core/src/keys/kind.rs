//! Kinds of keys. A pass may have several. Two documents are candidates if they share enough keys of one kind.

use super::Keys;
use crate::util::ratio::Ratio;
use std::sync::Arc;

/// One kind of keys: how to cut them, and what to do with a key that too many documents contain.
#[derive(Clone, Debug)]
pub struct KeyKind {
    /// The way they are cut.
    pub keys: Keys,
    /// Maximum number of documents of a key; a key of more is capped. `None` means no cap.
    pub cap: Option<u32>,
    /// Effect of the cap.
    pub over: OverCap,
    /// Rule by which rarer keys replace common ones. `None` if that may lose pairs, or if the scheme states a cap.
    pub common: Option<RareKeys>,
    /// Keys known in advance to be capped or replaced by rarer ones, as (table among those of this kind, key), ascending.
    /// They count as such even if only a few of their documents are in this run.
    pub foreseen: Arc<Vec<(u32, u32)>>,
}

/// Rarer keys that replace common ones ([`crate::candidates::common_keys`]). They propose every pair of the common key's
/// documents that can meet the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RareKeys {
    /// Keys of more documents than this are replaced.
    pub above: u32,
    /// No pair of lower resemblance meets the measure.
    pub threshold: Ratio,
}

/// Effect of the cap on a key that too many documents contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverCap {
    /// The key proposes no pair.
    Drop,
    /// Its documents are compared only with the first of them: in [`crate::decide::pairs`] with the first document,
    /// otherwise with the first leaders.
    Star,
}

impl KeyKind {
    /// Returns the maximum number of leaders of one key with which a document is compared: the first ones in policy order, up to
    /// the cap.
    #[inline]
    pub fn most_leaders(&self) -> usize {
        self.cap.map_or(usize::MAX, |cap| cap as usize)
    }

    /// Whether a key that `documents` documents contain is capped.
    #[inline]
    pub fn caps(&self, documents: usize) -> bool {
        documents > self.most_leaders()
    }

    /// Whether the `documents` documents of a key are compared with the first of them only, if pairs are listed for families of
    /// at most `max_family` documents.
    #[inline]
    pub fn is_star(&self, documents: usize, max_family: usize) -> bool {
        self.caps(documents) || documents > max_family
    }

    /// Whether a capped key proposes no pair.
    pub fn drops(&self) -> bool {
        self.cap.is_some() && self.over == OverCap::Drop
    }

    /// Returns the number of documents above which rarer keys replace a key; `None` if none is replaced.
    pub fn common_above(&self) -> Option<u32> {
        self.common.map(|common| self.cap.map_or(common.above, |cap| cap.min(common.above)))
    }

    /// Whether `key` of `table` is capped, if `documents` documents of this run contain it.
    #[inline]
    pub fn caps_key(&self, table: usize, key: u32, documents: usize) -> bool {
        self.caps(documents) || self.common.is_none() && self.is_known_common(table, key)
    }

    /// Whether `key` of `table` is known in advance to be common.
    #[inline]
    pub fn is_known_common(&self, table: usize, key: u32) -> bool {
        self.foreseen.binary_search(&(table as u32, key)).is_ok()
    }

    /// Whether this kind drops values of a signature that too many documents contain.
    pub fn drops_values(&self) -> bool {
        self.drops() && matches!(self.keys, Keys::Each(_))
    }
}
