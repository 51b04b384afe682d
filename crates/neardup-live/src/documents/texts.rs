//! Texts of documents, in files that are written once. Merges of segments leave them in place.
//!
//! A file also contains the places and records of its texts, which only a repair reads. They describe the documents as they were
//! added, and some of these may have been removed since. Files of format 1 contain neither.

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

/// Kind of the files of texts.
const KIND: &str = FileKind::Texts.word();
/// The section of the texts, one after another.
const BYTES: &str = "bytes";

/// An open file of texts.
pub struct StoredTexts {
    name: String,
    sections: Sections,
    bytes: MappedColumn<u8>,
    recorded: usize,
}

impl StoredTexts {
    /// Opens the file `name` in `folder`, and checks every byte of it. It must belong to `index`.
    pub fn open(folder: &Path, name: &str, index: &Identity) -> Result<Self> {
        let sections = Sections::open(&folder.join(name), KIND)?;
        sections.verify()?;
        index.check(&sections.header()?, sections.path())?;
        let bytes = sections.column(BYTES)?;
        let recorded = if sections.has("serials") { DocumentRecords::open(&sections)?.count() } else { 0 };
        Ok(StoredTexts { name: name.to_owned(), sections, bytes, recorded })
    }

    /// Number of documents that have records in this file.
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

    /// The texts, one after another.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Writes the texts of `count` documents, followed by their records, as the file at `path`, completely or not at all. `places` are
/// the places of the texts.
pub fn write<'r>(path: &Path, index: &Identity, count: u32, row: &dyn Fn(u32) -> DocumentRow<'r>, places: &[Range<u64>]) -> Result<()> {
    let mut writer = Writer::create(path, KIND, index)?;
    // They may be larger than memory, so they are written one by one.
    let mut stream = writer.stream::<u8>(BYTES)?;
    (0..count).try_for_each(|document| stream.write_all(row(document).text)).map_err(Error::file(path, "write"))?;
    place_columns::write(&mut writer, places)?;
    records::write(&mut writer, count, row)?;
    writer.finish()
}
