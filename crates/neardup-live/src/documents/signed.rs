//! The data that an index stores about a text, apart from the text itself.

use crate::documents::table_key::TableKey;
use neardup_core::sets::bitmap;
use neardup_core::sets::sketch::Sketch;

/// A signed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedText {
    /// Number of tokens.
    pub tokens: u32,
    /// Number of features, repeats counted.
    pub features: u32,
    /// Digest of the bytes of the text.
    pub raw: u128,
    /// Digest of the token sequence; 0 for a blank text, which equals no other.
    pub lexical: u128,
    /// See [`neardup_core::sets::bitmap`].
    pub bitmap: Box<[u64]>,
    /// See [`neardup_core::sets::parts`].
    pub parts: Box<[u64]>,
    /// The keys of all tables, without those of other shards.
    pub keys: Box<[TableKey]>,
}

impl SignedText {
    /// Returns bounds on its features that need no text.
    pub fn sketch(&self) -> Sketch<'_> {
        Sketch { most: self.features, least: bitmap::ones(&self.bitmap), bitmap: &self.bitmap, parts: &self.parts }
    }
}
