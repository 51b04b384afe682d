//! Segments: documents in an immutable file, column by column, with the tables they are found by.

use crate::documents::place_columns;
use crate::documents::places::TextPlaces;
use crate::documents::records::{self, DocumentRecords};
use crate::documents::row::{DocumentRow, half, hash};
use crate::documents::table::{self, PostingTable};
use crate::documents::texts::StoredTexts;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::pieces::{self, SectionPieces};
use crate::storage::sections::column::MappedColumn;
use crate::storage::sections::{Sections, Writer};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// What sections of this kind are.
const KIND: &str = FileKind::Segment.word();
/// Beside a document in a table of keys: it was dropped when the table was written.
pub const FOLLOWS: u32 = 1 << 31;

/// What a segment says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentHeader {
    /// Of which index.
    pub index: Identity,
    /// The scheme line, secrets replaced by check values.
    pub scheme: String,
    /// The scheme of parts.
    pub parts: Option<String>,
    /// The Unicode version that tokens are cut by.
    pub unicode: String,
    /// How many documents.
    pub documents: u32,
    /// How many tables of keys.
    pub tables: usize,
    /// The files of its texts, in order.
    pub texts: Vec<String>,
}

/// How a document is in the tables of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum KeyState {
    /// Not at all: it has no keys, or another of equal tokens represents it.
    No = 0,
    /// As one that was dropped.
    Follower = 1,
    /// As one that was kept.
    Leader = 2,
}

/// An open segment; documents are counted from 0 within it.
pub struct Segment {
    name: String,
    sections: Sections,
    len: u32,
    records: DocumentRecords,
    lexical: MappedColumn<u128>,
    tokens: MappedColumn<u32>,
    features: MappedColumn<u32>,
    keyed: MappedColumn<u8>,
    places: TextPlaces,
    bitmaps: SectionPieces<u64>,
    parts: SectionPieces<u64>,
    /// Documents by the first half of the hash of their id.
    pub by_id: PostingTable,
    /// By that of their URL.
    pub by_url: PostingTable,
    /// By the first quarter of the digest of their tokens.
    pub by_tokens: PostingTable,
    /// Documents by key, table by table, those kept before those dropped.
    pub keys: Vec<PostingTable>,
}

impl Segment {
    /// Opens the segment of this name in `folder`, and checks every byte of it; it must be one of `index`, with so many
    /// tables of keys. `texts` opens its files of texts.
    pub fn open(
        folder: &Path,
        name: &str,
        index: &Identity,
        tables: usize,
        texts: impl FnMut(&String) -> Result<Arc<StoredTexts>>,
    ) -> Result<Self> {
        let sections = Sections::open(&folder.join(name), KIND)?;
        sections.verify()?;
        let header: SegmentHeader = sections.header()?;
        index.check(&header.index, sections.path())?;
        if header.tables != tables {
            return Err(Error::damaged(sections.path(), format!("it has {} tables of keys, and its scheme {tables}", header.tables)));
        }
        let count = header.documents;
        let (names, holders) = (|value: u32| value < count, |value: u32| value & !FOLLOWS < count);
        let segment = Segment {
            name: name.to_owned(),
            len: header.documents,
            records: DocumentRecords::open(&sections)?,
            lexical: sections.column("lexical")?,
            tokens: sections.column("tokens")?,
            features: sections.column("features")?,
            keyed: sections.column("keyed")?,
            places: TextPlaces::open(&sections, header.texts.iter().map(texts).collect::<Result<_>>()?)?,
            bitmaps: SectionPieces::open(&sections, "bitmaps")?,
            parts: SectionPieces::open(&sections, "parts")?,
            by_id: PostingTable::open(&sections, "by_id", &names)?,
            by_url: PostingTable::open(&sections, "by_url", &names)?,
            by_tokens: PostingTable::open(&sections, "by_tokens", &names)?,
            keys: (0..header.tables)
                .map(|table| PostingTable::open(&sections, &format!("keys{table}"), &holders))
                .collect::<Result<_>>()?,
            sections,
        };
        let damaged = || Error::damaged(segment.sections.path(), "its columns differ in length");
        if segment.fits() { Ok(segment) } else { Err(damaged()) }
    }

    fn fits(&self) -> bool {
        let pieces = [self.bitmaps.count(), self.parts.count(), self.places.count(), self.records.count()];
        let columns = [self.lexical.len(), self.tokens.len(), self.features.len(), self.keyed.len()];
        pieces.into_iter().chain(columns).all(|length| length == self.len as usize)
    }

    /// The name of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many documents.
    pub fn count(&self) -> u32 {
        self.len
    }

    /// The bytes of its tables of keys, those of `tables` alone.
    pub fn key_bytes(&self, tables: Range<usize>) -> usize {
        self.keys[tables].iter().map(PostingTable::bytes).sum()
    }

    /// See [`Sections::refuse_cut`]; of the segment and its files of texts.
    pub fn refuse_cut(&self) -> Result<()> {
        self.sections.refuse_cut()?;
        self.places.files().iter().try_for_each(|texts| texts.refuse_cut())
    }

    /// Where its texts are.
    pub fn places(&self) -> &TextPlaces {
        &self.places
    }

    /// The bytes of its file; those of its texts are elsewhere.
    pub fn bytes(&self) -> usize {
        self.sections.bytes().len()
    }

    /// How a document is in the tables of keys.
    pub fn keyed(&self, document: u32) -> KeyState {
        match self.keyed[document as usize] {
            0 => KeyState::No,
            1 => KeyState::Follower,
            _ => KeyState::Leader,
        }
    }

    /// The serial numbers, ascending.
    pub fn serials(&self) -> &[u64] {
        self.records.serials()
    }

    /// A document.
    #[inline]
    pub fn row(&self, document: u32) -> DocumentRow<'_> {
        let index = document as usize;
        DocumentRow {
            text: self.places.text(index),
            tokens: self.tokens[index],
            features: self.features[index],
            lexical: self.lexical[index],
            bitmap: self.bitmaps.get(index),
            parts: self.parts.get(index),
            ..self.records.row(index)
        }
    }
}

/// A segment to be written.
pub struct SegmentDraft<'a> {
    /// Where it will be.
    pub path: &'a Path,
    /// What it says of itself.
    pub header: SegmentHeader,
    /// A document; its text is there already.
    pub row: &'a dyn Fn(u32) -> DocumentRow<'a>,
    /// Where the texts of all documents are.
    pub places: &'a [Range<u64>],
    /// How it is in the tables of keys.
    pub keyed: &'a dyn Fn(u32) -> KeyState,
    /// The entries of every table of keys; [`FOLLOWS`] marks those that were dropped.
    pub entries: &'a [Vec<(u32, u32)>],
}

impl SegmentDraft<'_> {
    /// Writes it, whole or not at all.
    pub fn write(&self) -> Result<()> {
        let mut writer = Writer::create(self.path, KIND, &self.header)?;
        let (out, count, row) = (&mut writer, self.header.documents, self.row);
        records::write(out, count, row)?;
        records::column(out, "lexical", count, |document| row(document).lexical)?;
        records::column(out, "tokens", count, |document| row(document).tokens)?;
        records::column(out, "features", count, |document| row(document).features)?;
        records::column(out, "keyed", count, |document| (self.keyed)(document) as u8)?;
        place_columns::write(out, self.places)?;
        pieces::write(out, "bitmaps", (0..count).map(|document| row(document).bitmap))?;
        pieces::write(out, "parts", (0..count).map(|document| row(document).parts))?;
        self.lookup(out, "by_id", |row| (!row.id.is_empty()).then(|| half(hash(row.id))))?;
        self.lookup(out, "by_url", |row| (!row.url.is_empty()).then(|| half(hash(row.url))))?;
        self.lookup(out, "by_tokens", |row| (row.lexical != 0).then(|| half((row.lexical >> 64) as u64)))?;
        for (table, entries) in self.entries.iter().enumerate() {
            table::write(out, &format!("keys{table}"), entries.iter().copied())?;
        }
        writer.finish()
    }

    fn lookup(&self, writer: &mut Writer, name: &str, hash: impl Fn(DocumentRow<'_>) -> Option<u32>) -> Result<()> {
        let entries = (0..self.header.documents).filter_map(|document| Some((hash((self.row)(document))?, document)));
        table::write(writer, name, entries)
    }
}
