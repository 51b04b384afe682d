//! Records: the metadata of a document. Both a segment and its file of texts contain the records of its documents, so damage to one
//! of the two files loses no document.

use crate::documents::row::DocumentRow;
use crate::storage::pieces::{self, SectionPieces};
use crate::storage::sections::column::MappedColumn;
use crate::storage::sections::{Sections, Writer};
use crate::{Error, Result};
use bytemuck::Pod;

/// Sections with a number per document.
const NUMBERS: [&str; 4] = ["serials", "arrived", "times", "raw"];
/// Sections with a name per document.
const NAMES: [&str; 2] = ["ids", "urls"];

/// The records of the documents of a file, by their position in it.
pub struct DocumentRecords {
    serials: MappedColumn<u64>,
    arrived: MappedColumn<i64>,
    times: MappedColumn<i64>,
    raw: MappedColumn<u128>,
    ids: SectionPieces<u8>,
    urls: SectionPieces<u8>,
}

impl DocumentRecords {
    /// Opens the records of a file.
    pub fn open(sections: &Sections) -> Result<Self> {
        let [serials, arrived, times, raw] = NUMBERS;
        let records = DocumentRecords {
            serials: sections.column(serials)?,
            arrived: sections.column(arrived)?,
            times: sections.column(times)?,
            raw: sections.column(raw)?,
            ids: SectionPieces::open(sections, NAMES[0])?,
            urls: SectionPieces::open(sections, NAMES[1])?,
        };
        let damaged = |what: &str| Err(Error::damaged(sections.path(), what));
        let count = records.count();
        let lengths = [records.arrived.len(), records.times.len(), records.raw.len(), records.ids.count(), records.urls.count()];
        match () {
            () if lengths.iter().any(|&length| length != count) => damaged("its columns differ in length"),
            () if !records.serials.is_sorted_by(|one, other| one < other) => damaged("its serial numbers do not ascend"),
            () => Ok(records),
        }
    }

    /// Returns the names of all sections that contain records.
    pub fn sections() -> impl Iterator<Item = String> {
        let names = NAMES.iter().flat_map(|name| [(*name).to_owned(), pieces::ends(name)]);
        NUMBERS.iter().map(|name| (*name).to_owned()).chain(names)
    }

    /// Number of documents.
    pub fn count(&self) -> usize {
        self.serials.len()
    }

    /// Serial numbers of the documents, ascending.
    pub fn serials(&self) -> &[u64] {
        &self.serials
    }

    /// Returns the record of a document, as a row whose other fields are empty.
    #[inline]
    pub fn row(&self, document: usize) -> DocumentRow<'_> {
        DocumentRow {
            serial: self.serials[document],
            arrived: self.arrived[document],
            time: self.times[document],
            raw: self.raw[document],
            id: self.ids.get(document),
            url: self.urls.get(document),
            text: &[],
            tokens: 0,
            features: 0,
            lexical: 0,
            bitmap: &[],
            parts: &[],
        }
    }
}

/// Writes the records of `count` documents.
pub fn write<'r>(writer: &mut Writer, count: u32, row: &dyn Fn(u32) -> DocumentRow<'r>) -> Result<()> {
    let [serials, arrived, times, raw] = NUMBERS;
    column(writer, serials, count, |document| row(document).serial)?;
    column(writer, arrived, count, |document| row(document).arrived)?;
    column(writer, times, count, |document| row(document).time)?;
    column(writer, raw, count, |document| row(document).raw)?;
    pieces::write(writer, NAMES[0], (0..count).map(|document| row(document).id))?;
    pieces::write(writer, NAMES[1], (0..count).map(|document| row(document).url))
}

/// Writes a column with one value for each of `count` documents.
pub fn column<T: Pod>(writer: &mut Writer, name: &str, count: u32, value: impl Fn(u32) -> T) -> Result<()> {
    writer.section(name, &(0..count).map(value).collect::<Vec<T>>())
}
