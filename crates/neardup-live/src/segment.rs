//! Segments: documents in an immutable file, column by column, with the tables they are found by.

use crate::column::Column;
use crate::folder::Kind;
use crate::identity::Identity;
use crate::places::{self, Places};
use crate::row::{Row, half, hash};
use crate::sections::{Sections, Writer};
use crate::table::{self, Table};
use crate::texts::Texts;
use crate::{Error, Result};
use bytemuck::Pod;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// What sections of this kind are.
const KIND: &str = Kind::Segment.word();
/// Beside a document in a table of keys: it was dropped when the table was written.
pub const FOLLOWS: u32 = 1 << 31;

/// What a segment says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
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

/// How a document stands in the tables of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Keyed {
    /// Not at all: it has no keys, or another of equal tokens stands there for it.
    No = 0,
    /// As one that was dropped.
    Follower = 1,
    /// As one that was kept.
    Leader = 2,
}

/// Pieces of different length, one after another.
struct Pieces<T: Pod> {
    ends: Column<u64>,
    values: Column<T>,
}

impl<T: Pod> Pieces<T> {
    fn open(sections: &Sections, name: &str) -> Result<Self> {
        let pieces = Pieces { ends: sections.column(&format!("{name}.ends"))?, values: sections.column(name)? };
        let whole = pieces.ends.is_sorted() && pieces.ends.last().copied().unwrap_or(0) == pieces.values.len() as u64;
        whole.then_some(pieces).ok_or_else(|| Error::damaged(sections.path(), format!("the pieces of {name} do not fit together")))
    }

    #[inline]
    fn get(&self, document: u32) -> &[T] {
        let index = document as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.values[start as usize..self.ends[index] as usize]
    }
}

/// An open segment; documents are counted from 0 within it.
pub struct Segment {
    name: String,
    sections: Sections,
    len: u32,
    serials: Column<u64>,
    arrived: Column<i64>,
    times: Column<i64>,
    raw: Column<u128>,
    lexical: Column<u128>,
    tokens: Column<u32>,
    features: Column<u32>,
    keyed: Column<u8>,
    ids: Pieces<u8>,
    urls: Pieces<u8>,
    places: Places,
    bitmaps: Pieces<u64>,
    parts: Pieces<u64>,
    /// Documents by the first half of the hash of their id.
    pub by_id: Table,
    /// By that of their URL.
    pub by_url: Table,
    /// By the first quarter of the digest of their tokens.
    pub by_tokens: Table,
    /// Documents by key, table by table, those kept before those dropped.
    pub keys: Vec<Table>,
}

impl Segment {
    /// Opens the segment of this name in `folder`, and checks every byte of it; it must be one of `index`, with so many
    /// tables of keys. `texts` opens its files of texts.
    pub fn open(
        folder: &Path,
        name: &str,
        index: &Identity,
        tables: usize,
        texts: impl FnMut(&String) -> Result<Arc<Texts>>,
    ) -> Result<Self> {
        let sections = Sections::open(&folder.join(name), KIND)?;
        sections.verify()?;
        let header: Header = sections.header()?;
        index.check(&header.index, sections.path())?;
        if header.tables != tables {
            return Err(Error::damaged(sections.path(), format!("it has {} tables of keys, and its scheme {tables}", header.tables)));
        }
        let count = header.documents;
        let (names, holders) = (|value: u32| value < count, |value: u32| value & !FOLLOWS < count);
        let segment = Segment {
            name: name.to_owned(),
            len: header.documents,
            serials: sections.column("serials")?,
            arrived: sections.column("arrived")?,
            times: sections.column("times")?,
            raw: sections.column("raw")?,
            lexical: sections.column("lexical")?,
            tokens: sections.column("tokens")?,
            features: sections.column("features")?,
            keyed: sections.column("keyed")?,
            ids: Pieces::open(&sections, "ids")?,
            urls: Pieces::open(&sections, "urls")?,
            places: Places::open(&sections, header.texts.iter().map(texts).collect::<Result<_>>()?)?,
            bitmaps: Pieces::open(&sections, "bitmaps")?,
            parts: Pieces::open(&sections, "parts")?,
            by_id: Table::open(&sections, "by_id", &names)?,
            by_url: Table::open(&sections, "by_url", &names)?,
            by_tokens: Table::open(&sections, "by_tokens", &names)?,
            keys: (0..header.tables).map(|table| Table::open(&sections, &format!("keys{table}"), &holders)).collect::<Result<_>>()?,
            sections,
        };
        let damaged = |what: &str| Err(Error::damaged(segment.sections.path(), what));
        match () {
            () if !segment.fits() => damaged("its columns differ in length"),
            () if !segment.serials.is_sorted_by(|one, other| one < other) => damaged("its serial numbers do not ascend"),
            () => Ok(segment),
        }
    }

    fn fits(&self) -> bool {
        let pieces = [self.ids.ends.len(), self.urls.ends.len(), self.bitmaps.ends.len(), self.parts.ends.len()];
        let columns = [self.serials.len(), self.arrived.len(), self.times.len(), self.raw.len(), self.lexical.len()];
        let others = [self.tokens.len(), self.features.len(), self.keyed.len(), self.places.count()];
        pieces.into_iter().chain(columns).chain(others).all(|length| length == self.len as usize)
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
        self.keys[tables].iter().map(Table::bytes).sum()
    }

    /// See [`Sections::refuse_cut`]; of the segment and its files of texts.
    pub fn refuse_cut(&self) -> Result<()> {
        self.sections.refuse_cut()?;
        self.places.files().iter().try_for_each(|texts| texts.refuse_cut())
    }

    /// Where its texts stand.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The bytes of its file; those of its texts stand elsewhere.
    pub fn bytes(&self) -> usize {
        self.sections.bytes().len()
    }

    /// How a document stands in the tables of keys.
    pub fn keyed(&self, document: u32) -> Keyed {
        match self.keyed[document as usize] {
            0 => Keyed::No,
            1 => Keyed::Follower,
            _ => Keyed::Leader,
        }
    }

    /// The serial numbers, ascending.
    pub fn serials(&self) -> &[u64] {
        &self.serials
    }

    /// A document.
    #[inline]
    pub fn row(&self, document: u32) -> Row<'_> {
        let index = document as usize;
        Row {
            serial: self.serials[index],
            arrived: self.arrived[index],
            id: self.ids.get(document),
            url: self.urls.get(document),
            time: self.times[index],
            text: self.places.text(index),
            tokens: self.tokens[index],
            features: self.features[index],
            raw: self.raw[index],
            lexical: self.lexical[index],
            bitmap: self.bitmaps.get(document),
            parts: self.parts.get(document),
        }
    }
}

/// A segment to be written.
pub struct Draft<'a> {
    /// Where it will stand.
    pub path: &'a Path,
    /// What it says of itself.
    pub header: Header,
    /// A document; its text stands there already.
    pub row: &'a dyn Fn(u32) -> Row<'a>,
    /// Where the texts of all documents stand.
    pub places: &'a [Range<u64>],
    /// How it stands in the tables of keys.
    pub keyed: &'a dyn Fn(u32) -> Keyed,
    /// The entries of every table of keys; [`FOLLOWS`] marks those that were dropped.
    pub entries: &'a [Vec<(u32, u32)>],
}

impl Draft<'_> {
    /// Writes it, whole or not at all.
    pub fn write(&self) -> Result<()> {
        let mut writer = Writer::create(self.path, KIND, &self.header)?;
        let out = &mut writer;
        self.column(out, "serials", |row| row.serial)?;
        self.column(out, "arrived", |row| row.arrived)?;
        self.column(out, "times", |row| row.time)?;
        self.column(out, "raw", |row| row.raw)?;
        self.column(out, "lexical", |row| row.lexical)?;
        self.column(out, "tokens", |row| row.tokens)?;
        self.column(out, "features", |row| row.features)?;
        let keyed: Vec<u8> = self.documents().map(|document| (self.keyed)(document) as u8).collect();
        out.section("keyed", &keyed)?;
        self.pieces(out, "ids", |row| row.id)?;
        self.pieces(out, "urls", |row| row.url)?;
        places::write(out, self.places)?;
        self.pieces(out, "bitmaps", |row| row.bitmap)?;
        self.pieces(out, "parts", |row| row.parts)?;
        self.lookup(out, "by_id", |row| (!row.id.is_empty()).then(|| half(hash(row.id))))?;
        self.lookup(out, "by_url", |row| (!row.url.is_empty()).then(|| half(hash(row.url))))?;
        self.lookup(out, "by_tokens", |row| (row.lexical != 0).then(|| half((row.lexical >> 64) as u64)))?;
        for (table, entries) in self.entries.iter().enumerate() {
            table::write(out, &format!("keys{table}"), entries.iter().copied())?;
        }
        writer.finish()
    }

    fn documents(&self) -> Range<u32> {
        0..self.header.documents
    }

    fn column<T: Pod>(&self, writer: &mut Writer, name: &str, value: impl Fn(Row<'_>) -> T) -> Result<()> {
        writer.section(name, &self.documents().map(|document| value((self.row)(document))).collect::<Vec<T>>())
    }

    fn pieces<T: Pod>(&self, writer: &mut Writer, name: &str, piece: impl for<'r> Fn(Row<'r>) -> &'r [T]) -> Result<()> {
        let mut end = 0;
        let ends = self.documents().map(|document| {
            end += piece((self.row)(document)).len() as u64;
            end
        });
        writer.section(&format!("{name}.ends"), &ends.collect::<Vec<u64>>())?;
        let mut stream = writer.stream::<T>(name)?;
        let mut pieces = self.documents().map(|document| piece((self.row)(document)));
        pieces.try_for_each(|piece| stream.write_all(bytemuck::cast_slice(piece))).map_err(Error::file(self.path, "write"))
    }

    fn lookup(&self, writer: &mut Writer, name: &str, hash: impl Fn(Row<'_>) -> Option<u32>) -> Result<()> {
        let entries = self.documents().filter_map(|document| Some((hash((self.row)(document))?, document)));
        table::write(writer, name, entries)
    }
}
