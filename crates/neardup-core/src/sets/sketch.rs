//! Sketches: bounds on a document's feature set that do not need its text.

use std::ops::Range;

/// Bounds on one feature set.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// Upper bound on the number of features (repeats may be counted).
    pub most: u32,
    /// Lower bound on the number of features.
    pub least: u32,
    /// The bitmap, see [`crate::sets::bitmap`]; empty if no test needs it.
    pub bitmap: &'a [u64],
    /// The signatures, see [`crate::sets::parts`].
    pub parts: &'a [u64],
}

/// A sketch in 24 bytes, with the bitmap folded onto two words. It tells apart most documents that share a key by
/// chance or by a frame, and is so small that many are read at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct SketchHeader {
    bits: [u64; 2],
    most: u32,
    least: u32,
}

impl SketchHeader {
    /// Returns the header of a sketch.
    pub fn of(sketch: Sketch<'_>) -> Self {
        let mut bits = [0; 2];
        sketch.bitmap.chunks_exact(2).for_each(|words| bits.iter_mut().zip(words).for_each(|(bits, word)| *bits |= word));
        SketchHeader { bits, most: sketch.most, least: sketch.least }
    }

    /// Returns the header as words.
    pub fn words(self) -> [u64; 3] {
        [self.bits[0], self.bits[1], u64::from(self.most) << 32 | u64::from(self.least)]
    }

    /// Returns the header that [`SketchHeader::words`] encoded.
    pub fn of_words([first, second, sizes]: [u64; 3]) -> Self {
        SketchHeader { bits: [first, second], most: (sizes >> 32) as u32, least: sizes as u32 }
    }

    /// Returns the header as a [`Sketch`], which says nothing of the signatures.
    #[inline]
    pub fn sketch(&self) -> Sketch<'_> {
        Sketch { most: self.most, least: self.least, bitmap: &self.bits, parts: &[] }
    }
}

/// The sketches of many documents, on sheets that were filled in parallel.
#[derive(Debug)]
pub struct Sketches {
    headers: Vec<SketchHeader>,
    entries: Vec<SketchEntry>,
    words: Vec<Vec<u64>>,
}

#[derive(Clone, Debug, Default)]
struct SketchEntry {
    most: u32,
    least: u32,
    sheet: u32,
    bitmap: Range<u32>,
    parts_end: u32,
}

/// The sketches of some of the documents.
#[derive(Debug, Default)]
pub struct SketchSheet {
    entries: Vec<(u32, SketchHeader, SketchEntry)>,
    words: Vec<u64>,
}

impl SketchSheet {
    /// Creates a sheet with capacity for this number of sketches, and this number of words in total.
    pub fn with_room(sketches: usize, words: usize) -> Self {
        SketchSheet { entries: Vec::with_capacity(sketches), words: Vec::with_capacity(words) }
    }

    /// Adds the sketch of document `index`.
    pub fn push(&mut self, index: u32, sketch: Sketch<'_>) {
        let header = SketchHeader::of(sketch);
        let start = self.words.len() as u32;
        self.words.extend_from_slice(sketch.bitmap);
        let bitmap = start..self.words.len() as u32;
        self.words.extend_from_slice(sketch.parts);
        let parts_end = self.words.len() as u32;
        self.entries.push((index, header, SketchEntry { most: sketch.most, least: sketch.least, sheet: 0, bitmap, parts_end }));
    }
}

impl Sketches {
    /// Joins the sheets of `count` documents. Each document must be on one sheet.
    pub fn new(count: usize, sheets: Vec<SketchSheet>) -> Self {
        let (headers, entries) = (vec![SketchHeader::default(); count], vec![SketchEntry::default(); count]);
        let mut sketches = Sketches { headers, entries, words: Vec::with_capacity(sheets.len()) };
        for (number, sheet) in (0..).zip(sheets) {
            for (index, header, entry) in sheet.entries {
                sketches.headers[index as usize] = header;
                sketches.entries[index as usize] = SketchEntry { sheet: number, ..entry };
            }
            sketches.words.push(sheet.words);
        }
        sketches
    }

    /// Returns the header of the sketch of document `index`.
    #[inline]
    pub fn header(&self, index: u32) -> SketchHeader {
        self.headers[index as usize]
    }

    /// Returns the sketch of document `index`.
    #[inline]
    pub fn get(&self, index: u32) -> Sketch<'_> {
        let entry = &self.entries[index as usize];
        let words = &self.words[entry.sheet as usize];
        let (start, end) = (entry.bitmap.start as usize, entry.bitmap.end as usize);
        Sketch { most: entry.most, least: entry.least, bitmap: &words[start..end], parts: &words[end..entry.parts_end as usize] }
    }
}
