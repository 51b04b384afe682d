//! Texts: what documents say, in files that are written once. Segments are merged around them.
//!
//! Beside the texts are their places and records, which only a repair reads: they are what the documents came with, some of
//! which may be gone since. Files of format 1 have none.

use crate::documents::place_columns;
use crate::documents::records::{self, DocumentRecords};
use crate::documents::row::DocumentRow;
use crate::storage::file_kind::FileKind;
use crate::storage::identity::Identity;
use crate::storage::sections::column::MappedColumn;
use crate::storage::sections::{Sections, Writer};
use crate::{Error, Result};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// What sections of this kind are.
const KIND: &str = FileKind::Texts.word();
/// One text behind the other.
const BYTES: &str = "bytes";

/// An open file of texts.
pub struct StoredTexts {
    name: String,
    sections: Sections,
    bytes: MappedColumn<u8>,
    recorded: usize,
}

impl StoredTexts {
    /// Opens the file of this name in `folder`, and checks every byte of it; it must be one of `index`.
    pub fn open(folder: &Path, name: &str, index: &Identity) -> Result<Self> {
        let sections = Sections::open(&folder.join(name), KIND)?;
        sections.verify()?;
        index.check(&sections.header()?, sections.path())?;
        let bytes = sections.column(BYTES)?;
        let recorded = if sections.has("serials") { DocumentRecords::open(&sections)?.count() } else { 0 };
        Ok(StoredTexts { name: name.to_owned(), sections, bytes, recorded })
    }

    /// How many documents have records here.
    pub fn recorded(&self) -> usize {
        self.recorded
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// See [`Sections::refuse_cut`].
    pub fn refuse_cut(&self) -> Result<()> {
        self.sections.refuse_cut()
    }

    /// The texts, one behind the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Writes the texts of this many documents, and behind them their records, as the file at `path`, whole or not at all. The texts lie
/// at these places.
pub fn write<'r>(path: &Path, index: &Identity, count: u32, row: &dyn Fn(u32) -> DocumentRow<'r>, places: &[Range<u64>]) -> Result<()> {
    let mut writer = Writer::create(path, KIND, index)?;
    // They may be larger than memory: they go out one by one.
    let mut stream = writer.stream::<u8>(BYTES)?;
    (0..count).try_for_each(|document| stream.write_all(row(document).text)).map_err(Error::file(path, "write"))?;
    place_columns::write(&mut writer, places)?;
    records::write(&mut writer, count, row)?;
    writer.finish()
}
