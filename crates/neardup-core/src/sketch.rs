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

/// The sketches of many documents, on sheets that were made side by side.
#[derive(Debug)]
pub struct Sketches {
    entries: Vec<Entry>,
    bitmaps: Vec<Vec<u64>>,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    most: u32,
    least: u32,
    sheet: u32,
    bitmap: Range<u32>,
}

/// The sketches of some of the documents.
#[derive(Debug, Default)]
pub struct Sheet {
    entries: Vec<(u32, Entry)>,
    bitmaps: Vec<u64>,
}

impl Sheet {
    /// Adds document `index`: at most `most` features, with this bitmap.
    pub fn push(&mut self, index: u32, most: u32, bitmap: &[u64]) {
        let start = self.bitmaps.len() as u32;
        self.bitmaps.extend_from_slice(bitmap);
        let bitmap_at = start..self.bitmaps.len() as u32;
        self.entries.push((index, Entry { most, least: bitmap::ones(bitmap), sheet: 0, bitmap: bitmap_at }));
    }
}

impl Sketches {
    /// The sketches of `count` documents, each of which is on a sheet.
    pub fn new(count: usize, sheets: Vec<Sheet>) -> Self {
        let mut sketches = Sketches { entries: vec![Entry::default(); count], bitmaps: Vec::with_capacity(sheets.len()) };
        for (number, sheet) in (0..).zip(sheets) {
            for (index, entry) in sheet.entries {
                sketches.entries[index as usize] = Entry { sheet: number, ..entry };
            }
            sketches.bitmaps.push(sheet.bitmaps);
        }
        sketches
    }

    /// The sketch of document `index`.
    #[inline]
    pub fn get(&self, index: u32) -> Sketch<'_> {
        let entry = &self.entries[index as usize];
        let (start, end) = (entry.bitmap.start as usize, entry.bitmap.end as usize);
        Sketch { most: entry.most, least: entry.least, bitmap: &self.bitmaps[entry.sheet as usize][start..end] }
    }
}
