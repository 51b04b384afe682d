//! Segments: documents in an immutable file, column by column, with the tables that find them.

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
use neardup_text::TokensVersion;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Kind of the files of segments.
const KIND: &str = FileKind::Segment.word();
/// Flag beside a document in a key table: the document was dropped when the table was written.
pub const FOLLOWS: u32 = 1 << 31;

/// The header of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentHeader {
    /// The index that the segment belongs to.
    pub index: Identity,
    /// The scheme line, with secrets replaced by check values.
    pub scheme: String,
    /// The scheme of the second key table (parts), if any.
    pub parts: Option<String>,
    /// The version of the rules that determine tokens; a segment of version 1 does not name it.
    #[serde(default = "TokensVersion::first")]
    pub tokens_version: u32,
    /// The Unicode version that determines tokens.
    pub unicode: String,
    /// Number of documents.
    pub documents: u32,
    /// Number of key tables.
    pub tables: usize,
    /// The files of its texts, in order.
    pub texts: Vec<String>,
}

/// How a document is entered in the key tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum KeyState {
    /// Not entered: it has no keys, or another document with equal tokens represents it.
    No = 0,
    /// Entered as a document that was dropped.
    Follower = 1,
    /// Entered as a document that was kept.
    Leader = 2,
}

/// An open segment. Documents are numbered from 0 within it.
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
    /// Documents by the first half of the hash of their URL.
    pub by_url: PostingTable,
    /// Documents by the first quarter of the digest of their tokens.
    pub by_tokens: PostingTable,
    /// One table per kind of keys, with the documents of each key: leaders before followers.
    pub keys: Vec<PostingTable>,
}

impl Segment {
    /// Opens the segment `name` in `folder`, and checks every byte of it. It must belong to `index` and have `tables` key tables.
    /// `texts` opens its files of texts.
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

    /// The name of the segment's file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of documents.
    pub fn count(&self) -> u32 {
        self.len
    }

    /// Returns the size of the key tables in `tables`, in bytes.
    pub fn key_bytes(&self, tables: Range<usize>) -> usize {
        self.keys[tables].iter().map(PostingTable::bytes).sum()
    }

    /// Checks the segment and its files of texts: see [`Sections::refuse_cut`].
    pub fn refuse_cut(&self) -> Result<()> {
        self.sections.refuse_cut()?;
        self.places.files().iter().try_for_each(|texts| texts.refuse_cut())
    }

    /// The places of the texts.
    pub fn places(&self) -> &TextPlaces {
        &self.places
    }

    /// Size of the segment's file in bytes, without its texts.
    pub fn bytes(&self) -> usize {
        self.sections.bytes().len()
    }

    /// Returns how a document is entered in the key tables.
    pub fn keyed(&self, document: u32) -> KeyState {
        match self.keyed[document as usize] {
            0 => KeyState::No,
            1 => KeyState::Follower,
            _ => KeyState::Leader,
        }
    }

    /// Serial numbers of the documents, ascending.
    pub fn serials(&self) -> &[u64] {
        self.records.serials()
    }

    /// Returns a document.
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
    /// The path that the segment will have.
    pub path: &'a Path,
    /// The header.
    pub header: SegmentHeader,
    /// Returns a document. Its text is written already.
    pub row: &'a dyn Fn(u32) -> DocumentRow<'a>,
    /// The place of each document's text.
    pub places: &'a [Range<u64>],
    /// Returns how a document is entered in the key tables.
    pub keyed: &'a dyn Fn(u32) -> KeyState,
    /// Keys and documents of each key table. [`FOLLOWS`] marks documents that were dropped.
    pub entries: &'a [Vec<(u32, u32)>],
}

impl SegmentDraft<'_> {
    /// Writes the segment, completely or not at all.
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
