//! The entries of one chunk of documents: while it is read, and in the store.

use crate::Result;
use neardup_core::util::store::{Store, StoredColumn};
use neardup_corpus::{MissingFields, PlaceUnit, Record, SourceSpan, TextPlace};
use serde::{Deserialize, Serialize};
use std::io;

/// Time or number of a document that has none: it sorts last.
pub const MISSING: i64 = i64::MAX;

/// Number of records that lack each of [`MissingFields::flags`].
pub type LackCounts<N> = [N; MissingFields::FLAGS];

/// The entries of one chunk while it is read.
#[derive(Default)]
pub struct CatalogueDraft {
    files: Vec<u32>,
    /// Row number minus place in the chunk: nearly always the same for all records.
    rows: Vec<u64>,
    spans: Vec<SourceSpan>,
    places: Vec<TextPlace>,
    times: Vec<i64>,
    /// Empty in a chunk without any number.
    numbers: Vec<i64>,
    ranks: Vec<u32>,
    ids: Vec<u8>,
    id_ends: Vec<u32>,
    urls: Vec<u8>,
    /// Empty in a chunk without any URL.
    url_ends: Vec<u32>,
    groups: Vec<u8>,
    /// Empty in a chunk without any group.
    group_ends: Vec<u32>,
    /// Length of the longest text, in bytes.
    longest: usize,
    lacking: LackCounts<u32>,
}

/// The entries of one chunk in the store, a column each.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CatalogueChunk {
    pub(super) files: StoredColumn<u32>,
    pub(super) rows: StoredColumn<u64>,
    pub(super) spans: StoredColumn<SourceSpan>,
    pub(super) places: StoredColumn<TextPlace>,
    pub(super) times: StoredColumn<i64>,
    pub(super) numbers: StoredColumn<i64>,
    pub(super) ranks: StoredColumn<u32>,
    pub(super) ids: StoredColumn<u8>,
    pub(super) id_ends: StoredColumn<u32>,
    pub(super) urls: StoredColumn<u8>,
    pub(super) url_ends: StoredColumn<u32>,
    pub(super) groups: StoredColumn<u8>,
    pub(super) group_ends: StoredColumn<u32>,
    pub(super) longest: usize,
    pub(super) lacking: LackCounts<u32>,
    pub(super) rows_before: u64,
    pub(super) reading: u32,
    pub(super) source: u32,
    pub(super) unit: PlaceUnit,
}

impl CatalogueChunk {
    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of bytes that its ids take in memory.
    pub fn id_bytes(&self) -> usize {
        if self.ids.is_empty() { 0 } else { self.ids.len() + self.len() * size_of::<u64>() }
    }

    /// Returns the length of its longest text, in bytes.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Returns where the texts can be fetched again: the reading, and the places in it.
    pub fn places(&self, store: &Store) -> Result<(u32, Vec<TextPlace>)> {
        Ok((self.reading, store.all(self.places).map_err(neardup_core::Error::from)?))
    }

    /// Returns the URLs of its documents. A missing URL is empty, and those after the last URL are left out.
    pub fn urls(&self, store: &Store) -> Result<Vec<String>> {
        texts(store, self.urls, self.url_ends)
    }

    /// Returns the groups of its documents. A missing group is empty, and those after the last group are left out.
    pub fn groups(&self, store: &Store) -> Result<Vec<String>> {
        texts(store, self.groups, self.group_ends)
    }

    /// Returns the times of its documents, [`MISSING`] for those without one.
    pub fn times(&self, store: &Store) -> Result<Vec<i64>> {
        Ok(store.all(self.times).map_err(neardup_core::Error::from)?)
    }

    /// Fills in what is known only after all chunks are read: the number of rows of the source before this chunk, the reading
    /// that its places belong to, the source of file 0 of that reading, and what its rows count.
    pub fn placed(self, rows_before: u64, reading: u32, source: u32, unit: PlaceUnit) -> CatalogueChunk {
        CatalogueChunk { rows_before, reading, source, unit, ..self }
    }
}

impl CatalogueDraft {
    /// Forgets the records but keeps the memory.
    pub fn clear(&mut self) {
        self.files.clear();
        self.rows.clear();
        self.spans.clear();
        self.places.clear();
        self.times.clear();
        self.numbers.clear();
        self.ranks.clear();
        self.ids.clear();
        self.id_ends.clear();
        self.urls.clear();
        self.url_ends.clear();
        self.groups.clear();
        self.group_ends.clear();
        self.longest = 0;
        self.lacking = LackCounts::default();
    }

    /// Adds a record.
    pub fn push(&mut self, record: &Record<'_>) {
        self.longest = self.longest.max(record.text.bytes().len());
        self.files.push(record.file);
        self.rows.push(record.row.wrapping_sub(self.rows.len() as u64));
        self.spans.push(record.span);
        self.places.push(record.place);
        self.times.push(record.time.unwrap_or(MISSING));
        self.ranks.push(record.rank);
        self.lacking.iter_mut().zip(record.lacks.flags()).for_each(|(count, lacks)| *count += u32::from(lacks));
        self.ids.extend_from_slice(record.id.as_deref().unwrap_or_default().as_bytes());
        self.id_ends.push(self.ids.len() as u32);
        if let Some(number) = record.number {
            self.numbers.resize(self.rows.len() - 1, MISSING);
            self.numbers.push(number);
        }
        let optional = [(&record.url, &mut self.urls, &mut self.url_ends), (&record.group, &mut self.groups, &mut self.group_ends)];
        for (value, texts, ends) in optional {
            if let Some(value) = value {
                // The records before it have none.
                ends.resize(self.rows.len() - 1, texts.len() as u32);
                texts.extend_from_slice(value.as_bytes());
                ends.push(texts.len() as u32);
            }
        }
    }

    /// Writes the chunk to the store; its place among the sources is filled in after all chunks are read.
    pub fn seal(&self, store: &Store) -> io::Result<CatalogueChunk> {
        Ok(CatalogueChunk {
            files: store.append(&self.files)?,
            rows: store.append(&self.rows)?,
            spans: store.append(&self.spans)?,
            places: store.append(&self.places)?,
            times: store.append(&self.times)?,
            numbers: store.append(&self.numbers)?,
            ranks: store.append(&self.ranks)?,
            ids: store.append(&self.ids)?,
            id_ends: store.append(&self.id_ends)?,
            urls: store.append(&self.urls)?,
            url_ends: store.append(&self.url_ends)?,
            groups: store.append(&self.groups)?,
            group_ends: store.append(&self.group_ends)?,
            longest: self.longest,
            lacking: self.lacking,
            rows_before: 0,
            reading: 0,
            source: 0,
            unit: PlaceUnit::Line,
        })
    }
}

/// Returns texts that are stored in a row, with the end of each.
fn texts(store: &Store, bytes: StoredColumn<u8>, ends: StoredColumn<u32>) -> Result<Vec<String>> {
    let bytes = store.all(bytes).map_err(neardup_core::Error::from)?;
    let ends = store.all(ends).map_err(neardup_core::Error::from)?;
    let starts = std::iter::once(&0).chain(&ends);
    let text = |(&start, &end): (&u32, &u32)| String::from_utf8_lossy(&bytes[start as usize..end as usize]).into_owned();
    Ok(starts.zip(&ends).map(text).collect())
}
