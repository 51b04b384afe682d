//! Shelves: the kept texts of a home in a file, of which any can be read by itself.
//!
//! The file has the records one after another, then the place and the offset of each, and at the end their number.

use crate::distributed::output::put;
use crate::distributed::past::book::{open, shelf_of};
use crate::distributed::records::ClassMember;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Bytes of an entry: the place of a document at home, and the offset of its record.
const ENTRY: usize = size_of::<u32>() + size_of::<u64>();

/// A kept document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShelvedText {
    /// The document.
    pub member: ClassMember,
    /// Number of documents that its own run dropped for it.
    pub led: u32,
    /// The text.
    pub text: String,
}

/// Writes the kept documents of a home, by ascending place.
pub fn write_shelf(folder: &Path, home: u32, texts: impl Iterator<Item = Result<ShelvedText>>) -> Result<()> {
    put(folder, &shelf_of(home), |path| {
        let fail = || Error::file(path, "write");
        let (mut file, mut entries, mut offset) = (BufWriter::new(File::create(path).map_err(fail())?), Vec::new(), 0_u64);
        for text in texts {
            let text = text?;
            let packed = postcard::to_stdvec(&text).map_err(|error| Error::Data(error.to_string()))?;
            file.write_all(&packed).map_err(fail())?;
            entries.extend_from_slice(&text.member.name.number.place().to_le_bytes());
            entries.extend_from_slice(&offset.to_le_bytes());
            offset += packed.len() as u64;
        }
        let count = (entries.len() / ENTRY) as u64;
        file.write_all(&entries).and_then(|()| file.write_all(&count.to_le_bytes())).and_then(|()| file.flush()).map_err(fail())
    })
}

/// The kept texts of a home.
pub struct Shelf {
    path: PathBuf,
    file: File,
    /// Places and offsets, ascending.
    entries: Vec<(u32, u64)>,
    /// Where the entries begin.
    end: u64,
}

impl Shelf {
    /// Opens the texts of a home.
    pub fn open(folder: &Path, home: u32) -> Result<Shelf> {
        let path = folder.join(shelf_of(home));
        let file = open(&path)?;
        let damaged = || Error::Data(format!("{}: the texts of the past are cut off", path.display()));
        let len = file.metadata().map_err(Error::file(&path, "read"))?.len();
        let read = |offset: u64, len: usize| {
            let mut bytes = vec![0; len];
            file.read_exact_at(&mut bytes, offset).map(|()| bytes).map_err(|_| damaged())
        };
        let tail = read(len.checked_sub(8).ok_or_else(damaged)?, 8)?;
        let count = u64::from_le_bytes(tail.as_slice().try_into().map_err(|_| damaged())?) as usize;
        let end = count.checked_mul(ENTRY).and_then(|bytes| (len - 8).checked_sub(bytes as u64)).ok_or_else(damaged)?;
        let bytes = read(end, count * ENTRY)?;
        let entry = |entry: &[u8; ENTRY]| {
            let (place, offset) = entry.split_at(size_of::<u32>());
            let place = place.try_into().map_or(0, u32::from_le_bytes);
            (place, offset.try_into().map_or(0, u64::from_le_bytes))
        };
        let entries = bytes.as_chunks::<ENTRY>().0.iter().map(entry).collect();
        Ok(Shelf { path, file, entries, end })
    }

    /// Reads the document at a place.
    pub fn read(&self, place: u32) -> Result<ShelvedText> {
        let damaged = || Error::Data(format!("{}: the texts of the past have no document {place}", self.path.display()));
        let at = self.entries.binary_search_by_key(&place, |entry| entry.0).map_err(|_| damaged())?;
        let (start, end) = (self.entries[at].1, self.entries.get(at + 1).map_or(self.end, |next| next.1));
        let mut bytes = vec![0; end.checked_sub(start).ok_or_else(damaged)? as usize];
        self.file.read_exact_at(&mut bytes, start).map_err(Error::file(&self.path, "read"))?;
        postcard::from_bytes(&bytes).map_err(|_| damaged())
    }
}
