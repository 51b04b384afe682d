//! Segments: what signing leaves of a chunk of documents.

use crate::keys::{ChunkKeys, rows};
use crate::sets::bitmap;
use crate::sets::sketch::Sketch;
use crate::util::store::{Store, StoredColumn};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;

/// One chunk while it is signed: columns with an entry per document, in input order.
#[derive(Clone, Debug, Default)]
pub struct ChunkBuilder {
    /// Tokens in the text.
    pub tokens: Vec<u32>,
    /// Features with repeats: at least as many as the set has; 0 for a text without tokens.
    pub features: Vec<u32>,
    /// Digest of the text as it is in its source: equal digests mean equal texts.
    pub raw: Vec<u128>,
    /// Digest of the token sequence; of the bytes, when there are no tokens; 0 for a blank text.
    pub lexical: Vec<u128>,
    /// Keys, kind by kind.
    pub keys: Vec<ChunkKeys>,
    /// Bitmaps, one document after another.
    pub bitmaps: Vec<u64>,
    /// Where the bitmap of each document ends.
    pub bitmap_ends: Vec<u32>,
    /// What is kept of signatures ([`crate::sets::parts`]), one document after another.
    pub parts: Vec<u64>,
    /// Where the parts of each document end; empty when nothing is kept.
    pub part_ends: Vec<u32>,
}

/// One chunk in the store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredChunk {
    /// See [`ChunkBuilder::tokens`].
    pub tokens: StoredColumn<u32>,
    /// See [`ChunkBuilder::features`].
    pub features: StoredColumn<u32>,
    /// See [`ChunkBuilder::raw`].
    pub raw: StoredColumn<u128>,
    /// See [`ChunkBuilder::lexical`].
    pub lexical: StoredColumn<u128>,
    /// See [`ChunkBuilder::keys`].
    keys: Vec<rows::StoredKeys>,
    /// See [`ChunkBuilder::bitmaps`].
    pub bitmaps: StoredColumn<u64>,
    /// See [`ChunkBuilder::bitmap_ends`].
    pub bitmap_ends: StoredColumn<u32>,
    /// See [`ChunkBuilder::parts`].
    pub parts: StoredColumn<u64>,
    /// See [`ChunkBuilder::part_ends`].
    pub part_ends: StoredColumn<u32>,
    /// The most tokens, and the most features, that a document has.
    pub most: [u32; 2],
}

impl ChunkBuilder {
    /// Writes the chunk to the store.
    pub fn seal(&self, store: &Store) -> io::Result<StoredChunk> {
        Ok(StoredChunk {
            tokens: store.append(&self.tokens)?,
            features: store.append(&self.features)?,
            raw: store.append(&self.raw)?,
            lexical: store.append(&self.lexical)?,
            keys: self.keys.iter().map(|rows| rows.store(store, self.tokens.len())).collect::<io::Result<_>>()?,
            bitmaps: store.append(&self.bitmaps)?,
            bitmap_ends: store.append(&self.bitmap_ends)?,
            parts: store.append(&self.parts)?,
            part_ends: store.append(&self.part_ends)?,
            most: [&self.tokens, &self.features].map(|counts| counts.iter().copied().max().unwrap_or(0)),
        })
    }

    /// Forgets the documents but keeps the memory.
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.features.clear();
        self.raw.clear();
        self.lexical.clear();
        self.keys.iter_mut().for_each(ChunkKeys::clear);
        self.bitmaps.clear();
        self.bitmap_ends.clear();
        self.parts.clear();
        self.part_ends.clear();
    }

    /// The sketch of a document.
    pub fn sketch(&self, document: usize) -> Sketch<'_> {
        let bitmap = &self.bitmaps[range(&self.bitmap_ends, document)];
        let parts = &self.parts[range(&self.part_ends, document)];
        Sketch { most: self.features[document], least: bitmap::ones(bitmap), bitmap, parts }
    }
}

/// Where the entries of a document are, given where those of every document end; nowhere when none has any.
pub fn range(ends: &[u32], document: usize) -> Range<usize> {
    let end = |document: usize| ends.get(document).map_or(0, |&end| end as usize);
    if document == 0 { 0..end(0) } else { end(document - 1)..end(document) }
}

impl StoredChunk {
    /// The bytes of keys.
    pub fn key_bytes(&self) -> usize {
        self.keys.iter().map(rows::StoredKeys::bytes).sum()
    }

    /// The bytes of keys and sketches.
    pub fn sketch_bytes(&self) -> usize {
        self.key_bytes() + 4 * (self.bitmap_ends.len() + self.part_ends.len()) + 8 * (self.bitmaps.len() + self.parts.len())
    }

    /// The keys of one kind; None in a chunk without documents.
    pub fn rows(&self, kind: usize) -> Option<&rows::StoredKeys> {
        self.keys.get(kind)
    }

    /// The same documents with other keys of one kind.
    pub fn with_rows(&self, kind: usize, rows: rows::StoredKeys) -> StoredChunk {
        let mut segment = self.clone();
        segment.keys[kind] = rows;
        segment
    }

    /// The documents are arranged: what brought them together has done so.
    pub fn let_go_of_keys(&self, store: &Store) {
        store.let_go(self.lexical);
        self.keys.iter().for_each(|rows| rows.let_go(store));
    }

    /// The documents are compared: their sketches are not needed any more.
    pub fn let_go_of_sketches(&self, store: &Store) {
        [self.bitmaps, self.parts].into_iter().for_each(|words| store.let_go(words));
    }

    /// How many documents.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}
