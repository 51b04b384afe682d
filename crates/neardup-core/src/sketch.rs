//! Sketches: what is known of a document's feature set without its text.

use crate::bitmap;
use std::ops::Range;

/// Bounds on one feature set.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// The set has at most this many features (repeats may be counted).
    pub most: u32,
    /// The set has at least this many features.
    pub least: u32,
    /// Its bitmap, see [`crate::bitmap`].
    pub bitmap: &'a [u64],
}

/// The sketches of many documents.
#[derive(Debug)]
pub struct Sketches {
    entries: Vec<(u32, u32, Range<usize>)>,
    words: Vec<u64>,
}

impl Sketches {
    /// Room for `count` documents, each empty until it is set.
    pub fn with_room(count: usize) -> Self {
        Sketches { entries: vec![(0, 0, 0..0); count], words: Vec::new() }
    }

    /// Sets document `index`: at most `most` features, with this bitmap.
    pub fn set(&mut self, index: usize, most: u32, bitmap: &[u64]) {
        let start = self.words.len();
        self.words.extend_from_slice(bitmap);
        self.entries[index] = (most, bitmap::ones(bitmap), start..self.words.len());
    }

    /// The sketch of document `index`.
    #[inline]
    pub fn get(&self, index: u32) -> Sketch<'_> {
        let (most, least, range) = &self.entries[index as usize];
        Sketch { most: *most, least: *least, bitmap: &self.words[range.clone()] }
    }
}
