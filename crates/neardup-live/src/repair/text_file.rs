//! A file of texts, as far as it can be read.

use super::damage::Damage;
use super::opened::open;
use super::saved_document::SavedDocument;
use crate::documents::place_columns;
use crate::documents::records::DocumentRecords;
use crate::documents::row::DocumentRow;
use crate::storage::file_kind::FileKind;
use crate::storage::head::FileHead;
use crate::storage::identity::Identity;
use crate::storage::map::map;
use crate::storage::sections::{ALIGNMENT, Sections};
use memmap2::Mmap;
use neardup_disk::regular;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

const BYTES: &str = "bytes";

/// A file of texts.
pub struct TextFile {
    /// The path of the file.
    pub path: PathBuf,
    /// Whether its texts are undamaged.
    pub is_whole: bool,
    /// The sections; `None` if the table cannot be read.
    sections: Option<Sections>,
    /// If the table is lost: the mapped file and the start of its texts, which are the first section.
    rest: Option<(Mmap, usize)>,
    /// The place of the text of each document, by serial number, if the file has records.
    own: HashMap<u64, Range<u64>>,
}

impl TextFile {
    /// Opens the file `name`, and records its damage.
    pub fn open(dir: &Path, name: &str, index: &Identity, damages: &mut Vec<Damage>) -> TextFile {
        let path = dir.join(name);
        let sections = open(&path, FileKind::Texts, |header: &Identity| header, index, damages).map(|(sections, _)| sections);
        let rest = if sections.is_none() { rest(&path, index) } else { None };
        let is_whole = sections.as_ref().is_some_and(|sections| sections.is_whole(BYTES));
        let mut file = TextFile { path, is_whole, sections, rest, own: HashMap::new() };
        if let Some((records, places)) = file.records() {
            file.own = records.serials().iter().copied().zip(places).collect();
        }
        file
    }

    /// Returns the records and the places of their texts, if all of them are undamaged.
    pub fn records(&self) -> Option<(DocumentRecords, Vec<Range<u64>>)> {
        let sections = self.sections.as_ref()?;
        let (records, places) = (whole_records(sections)?, place_columns::read(sections).ok()?);
        (places.len() == records.count()).then_some((records, places))
    }

    /// Whether the file can be read and has no records, as in format 1.
    pub fn lacks_records(&self) -> bool {
        self.sections.as_ref().is_some_and(|sections| !sections.has("serials"))
    }

    /// Returns the place of a document's text, according to the records.
    pub fn own(&self, serial: u64) -> Option<Range<u64>> {
        self.own.get(&serial).cloned()
    }

    /// Number of bytes of its texts; `None` if it is unknown.
    pub fn length(&self) -> Option<u64> {
        self.sections.as_ref()?.get::<u8>(BYTES).ok().map(|bytes| bytes.len() as u64)
    }

    /// The texts, one after another. If the table is lost, everything from the first text on.
    pub fn bytes(&self) -> Option<&[u8]> {
        let rest = || self.rest.as_ref().map(|(file, start)| &file[*start..]);
        self.sections.as_ref().and_then(|sections| sections.get::<u8>(BYTES).ok()).or_else(rest)
    }

    /// Returns the bytes of a text.
    pub fn text(&self, range: &Range<u64>) -> Option<&[u8]> {
        self.bytes()?.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
    }

    /// Returns a document with this record and these bytes of the file as its text; `None` if a name or the text is not UTF-8.
    pub fn saved(&self, record: &DocumentRow<'_>, text: &[u8]) -> Option<SavedDocument> {
        let Some(sections) = &self.sections else { return SavedDocument::mended(record, String::from_utf8(text.to_vec()).ok()?) };
        let start = text.as_ptr().addr() - sections.bytes().as_ptr().addr();
        SavedDocument::filed(record, sections, start..start + text.len())
    }
}

/// Returns the records of a file, if all of them are undamaged.
pub fn whole_records(sections: &Sections) -> Option<DocumentRecords> {
    let is_whole = DocumentRecords::sections().chain(place_columns::sections()).all(|name| sections.is_whole(&name));
    if is_whole { DocumentRecords::open(sections).ok() } else { None }
}

/// Returns a mapped file whose table is lost, and the start of its texts.
fn rest(path: &Path, index: &Identity) -> Option<(Mmap, usize)> {
    let file = map(&regular::open(path).ok()?).ok()?;
    let head = FileHead::mend(path, FileKind::Texts.word(), &file)?;
    index.check(&head.header(path).ok()?, path).ok()?;
    let start = usize::try_from(head.length.next_multiple_of(ALIGNMENT)).ok()?;
    (start <= file.len()).then_some((file, start))
}
