//! Sketches: what is known of a document's feature set without its text.

use std::ops::Range;

/// Bounds on one feature set.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// The set has at most this many features (repeats may be counted).
    pub most: u32,
    /// The set has at least this many features.
    pub least: u32,
    /// Its bitmap, see [`crate::sets::bitmap`]; empty when no test needs it.
    pub bitmap: &'a [u64],
    /// What is kept of its signatures, see [`crate::sets::parts`].
    pub parts: &'a [u64],
}

/// A sketch in 24 bytes, its bitmap folded onto two words: enough to tell most documents apart that share a key by chance or
/// by a frame, and so little that many are read at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct SketchHeader {
    bits: [u64; 2],
    most: u32,
    least: u32,
}

impl SketchHeader {
    /// That of a sketch.
    pub fn of(sketch: Sketch<'_>) -> Self {
        let mut bits = [0; 2];
        sketch.bitmap.chunks_exact(2).for_each(|words| bits.iter_mut().zip(words).for_each(|(bits, word)| *bits |= word));
        SketchHeader { bits, most: sketch.most, least: sketch.least }
    }

    /// It as words.
    pub fn words(self) -> [u64; 3] {
        [self.bits[0], self.bits[1], u64::from(self.most) << 32 | u64::from(self.least)]
    }

    /// What these words are of.
    pub fn of_words([first, second, sizes]: [u64; 3]) -> Self {
        SketchHeader { bits: [first, second], most: (sizes >> 32) as u32, least: sizes as u32 }
    }

    /// What it says of a set, see [`Sketch`]; of its signatures nothing.
    #[inline]
    pub fn sketch(&self) -> Sketch<'_> {
        Sketch { most: self.most, least: self.least, bitmap: &self.bits, parts: &[] }
    }
}

/// The sketches of many documents, on sheets that were made side by side.
#[derive(Debug)]
pub struct Sketches {
    briefs: Vec<SketchHeader>,
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
    /// A sheet with room for this many sketches, of this many words together.
    pub fn with_room(sketches: usize, words: usize) -> Self {
        SketchSheet { entries: Vec::with_capacity(sketches), words: Vec::with_capacity(words) }
    }

    /// Adds document `index`.
    pub fn push(&mut self, index: u32, sketch: Sketch<'_>) {
        let brief = SketchHeader::of(sketch);
        let start = self.words.len() as u32;
        self.words.extend_from_slice(sketch.bitmap);
        let bitmap = start..self.words.len() as u32;
        self.words.extend_from_slice(sketch.parts);
        let parts_end = self.words.len() as u32;
        self.entries.push((index, brief, SketchEntry { most: sketch.most, least: sketch.least, sheet: 0, bitmap, parts_end }));
    }
}

impl Sketches {
    /// The sketches of `count` documents, each of which is on a sheet.
    pub fn new(count: usize, sheets: Vec<SketchSheet>) -> Self {
        let (briefs, entries) = (vec![SketchHeader::default(); count], vec![SketchEntry::default(); count]);
        let mut sketches = Sketches { briefs, entries, words: Vec::with_capacity(sheets.len()) };
        for (number, sheet) in (0..).zip(sheets) {
            for (index, brief, entry) in sheet.entries {
                sketches.briefs[index as usize] = brief;
                sketches.entries[index as usize] = SketchEntry { sheet: number, ..entry };
            }
            sketches.words.push(sheet.words);
        }
        sketches
    }

    /// The sketch of document `index` in brief.
    #[inline]
    pub fn brief(&self, index: u32) -> SketchHeader {
        self.briefs[index as usize]
    }

    /// The sketch of document `index`.
    #[inline]
    pub fn get(&self, index: u32) -> Sketch<'_> {
        let entry = &self.entries[index as usize];
        let words = &self.words[entry.sheet as usize];
        let (start, end) = (entry.bitmap.start as usize, entry.bitmap.end as usize);
        Sketch { most: entry.most, least: entry.least, bitmap: &words[start..end], parts: &words[end..entry.parts_end as usize] }
    }
}
