//! Rows: the stored data of one document, in a segment or in memory.

use crate::documents::document::NO_TIME;
use neardup_core::sets::bitmap;
use neardup_core::sets::sketch::Sketch;

/// One document of an index.
#[derive(Clone, Copy, Debug)]
pub struct DocumentRow<'a> {
    /// Number of the step that added it, counted over the life of the index.
    pub serial: u64,
    /// When it arrived, in Unix seconds.
    pub arrived: i64,
    /// Its id, UTF-8; empty if it has none.
    pub id: &'a [u8],
    /// Its URL, UTF-8; empty if it has none.
    pub url: &'a [u8],
    /// Its time in microseconds since 1970; [`NO_TIME`] if it has none.
    pub time: i64,
    /// Its text, UTF-8.
    pub text: &'a [u8],
    /// Number of tokens.
    pub tokens: u32,
    /// Number of features, repeats counted.
    pub features: u32,
    /// Digest of the bytes of the text.
    pub raw: u128,
    /// Digest of the token sequence; 0 for a blank text.
    pub lexical: u128,
    /// See [`neardup_core::sets::bitmap`].
    pub bitmap: &'a [u64],
    /// See [`neardup_core::sets::parts`].
    pub parts: &'a [u64],
}

impl<'a> DocumentRow<'a> {
    /// Whether it has a time.
    pub fn has_time(&self) -> bool {
        self.time != NO_TIME
    }

    /// Whether its text is stored here. A shard stores only the texts that have keys in it.
    pub fn is_whole(&self) -> bool {
        self.features == 0 || !self.text.is_empty()
    }

    /// Returns bounds on its features that need no text.
    pub fn sketch(&self) -> Sketch<'a> {
        Sketch { most: self.features, least: bitmap::ones(self.bitmap), bitmap: self.bitmap, parts: self.parts }
    }
}

/// Returns the hash by which an id or a URL is found.
pub fn hash(name: &[u8]) -> u64 {
    let digest = blake3::hash(name);
    u64::from_le_bytes(digest.as_bytes()[..8].try_into().unwrap_or_default())
}

/// Returns the half of a hash that tables contain. Lookups compare the full names of the documents found.
pub fn half(hash: u64) -> u32 {
    (hash >> 32) as u32
}
