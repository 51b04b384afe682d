//! Segments: the signed documents of a chunk.

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
    /// Number of tokens in the text.
    pub tokens: Vec<u32>,
    /// Number of features with repeats, at least the size of the set. 0 for a text without tokens.
    pub features: Vec<u32>,
    /// Digest of the text as stored in its source. Equal digests mean equal texts.
    pub raw: Vec<u128>,
    /// Digest of the token sequence, or of the bytes if there are no tokens. 0 for a blank text.
    pub lexical: Vec<u128>,
    /// Keys, kind by kind.
    pub keys: Vec<ChunkKeys>,
    /// Bitmaps, document by document.
    pub bitmaps: Vec<u64>,
    /// End of each document's bitmap.
    pub bitmap_ends: Vec<u32>,
    /// Parts of signatures that sketches keep ([`crate::sets::parts`]), document by document.
    pub parts: Vec<u64>,
    /// End of each document's parts. Empty if no parts are kept.
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
    /// Largest number of tokens and largest number of features of a document.
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

    /// Removes all documents but keeps the memory.
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

    /// Returns the sketch of a document.
    pub fn sketch(&self, document: usize) -> Sketch<'_> {
        let bitmap = &self.bitmaps[range(&self.bitmap_ends, document)];
        let parts = &self.parts[range(&self.part_ends, document)];
        Sketch { most: self.features[document], least: bitmap::ones(bitmap), bitmap, parts }
    }
}

/// Returns the range of a document's entries, given the end of every document's entries. It is empty if `ends` is.
pub fn range(ends: &[u32], document: usize) -> Range<usize> {
    let end = |document: usize| ends.get(document).map_or(0, |&end| end as usize);
    if document == 0 { 0..end(0) } else { end(document - 1)..end(document) }
}

impl StoredChunk {
    /// Returns the size of the keys in bytes.
    pub fn key_bytes(&self) -> usize {
        self.keys.iter().map(rows::StoredKeys::bytes).sum()
    }

    /// Returns the size of keys and sketches in bytes.
    pub fn sketch_bytes(&self) -> usize {
        self.key_bytes() + 4 * (self.bitmap_ends.len() + self.part_ends.len()) + 8 * (self.bitmaps.len() + self.parts.len())
    }

    /// Returns the keys of one kind, or `None` for a chunk without documents.
    pub fn rows(&self, kind: usize) -> Option<&rows::StoredKeys> {
        self.keys.get(kind)
    }

    /// Returns the same documents with other keys of one kind.
    pub fn with_rows(&self, kind: usize, rows: rows::StoredKeys) -> StoredChunk {
        let mut segment = self.clone();
        segment.keys[kind] = rows;
        segment
    }

    /// Advises the system that the keys and lexical digests are not needed any more, because the documents are arranged.
    pub fn let_go_of_keys(&self, store: &Store) {
        store.let_go(self.lexical);
        self.keys.iter().for_each(|rows| rows.let_go(store));
    }

    /// Advises the system that the sketches are not needed any more, because the documents are compared.
    pub fn let_go_of_sketches(&self, store: &Store) {
        [self.bitmaps, self.parts].into_iter().for_each(|words| store.let_go(words));
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}
