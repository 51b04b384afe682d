//! What an index keeps of one text beside the text.

use crate::documents::table_key::TableKey;
use neardup_core::sets::bitmap;
use neardup_core::sets::sketch::Sketch;

/// One signed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedText {
    /// Tokens.
    pub tokens: u32,
    /// Features, repeats counted.
    pub features: u32,
    /// Digest of the bytes.
    pub raw: u128,
    /// Digest of the token sequence; 0 for a blank text, which equals nothing.
    pub lexical: u128,
    /// See [`neardup_core::sets::bitmap`].
    pub bitmap: Box<[u64]>,
    /// See [`neardup_core::sets::parts`].
    pub parts: Box<[u64]>,
    /// The keys, of all tables, that fall to this index.
    pub keys: Box<[TableKey]>,
}

impl SignedText {
    /// What is known of its features without the text.
    pub fn sketch(&self) -> Sketch<'_> {
        Sketch { most: self.features, least: bitmap::ones(&self.bitmap), bitmap: &self.bitmap, parts: &self.parts }
    }
}
