//! A file of named sections that never changes: each section is one column, read in place.
//!
//! | where | what |
//! |---|---|
//! | start | the head (`head.rs`) |
//! | multiples of 64 | the sections, in the order they were written |
//! | multiple of 64 | the table of sections, as JSON |
//! | end | the footer: the place of the table, and BLAKE3 of head, table and that place |
//!
//! Numbers are little-endian. The bytes between are zero, so that every byte of the file is checked.

pub mod column;
mod table;
mod writer;

pub use writer::{SectionStream, Writer};

use crate::storage::head::FileHead;
use crate::storage::map;
use crate::storage::sections::column::MappedColumn;
use crate::{Error, Result};
use bytemuck::Pod;
use memmap2::Mmap;
use neardup_core::util::threads::on_all;
use neardup_disk::regular;
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::{Section, SectionTable};

#[cfg(not(target_endian = "little"))]
compile_error!("columns are read in place, and are little-endian");

/// Alignment of sections in the file, in bytes.
pub(crate) const ALIGNMENT: u64 = 64;

/// An open file of sections; clones share it.
#[derive(Clone, Debug)]
pub struct Sections(pub(crate) Arc<Inner>);

/// The contents of an open file.
#[derive(Debug)]
pub(crate) struct Inner {
    path: PathBuf,
    file: File,
    map: Mmap,
    head: FileHead,
    table: SectionTable,
}

impl Sections {
    /// Opens the file at `path`, which must be of kind `kind`, and checks its head, footer and table. [`Sections::verify`] checks
    /// the rest.
    pub fn open(path: &Path, kind: &str) -> Result<Sections> {
        let file = regular::open(path).map_err(Error::file(path, "read"))?;
        let map = map::map(&file).map_err(Error::file(path, "read"))?;
        let head = FileHead::read(path, kind, &mut &map[..])?;
        let table = SectionTable::read(&head, &map).map_err(|what| Error::damaged(path, what))?;
        Ok(Sections(Arc::new(Inner { path: path.to_path_buf(), file, map, head, table })))
    }

    /// Opens a file as [`Sections::open`] does, even if one byte of its head or its table is wrong. Also returns what is wrong
    /// there.
    pub(crate) fn mend(path: &Path, kind: &str) -> Result<(Sections, Option<String>)> {
        let wrong = match Sections::open(path, kind) {
            Ok(sections) => return Ok((sections, None)),
            Err(Error::Damaged { what, .. }) => what,
            Err(error) => return Err(error),
        };
        let unmended = || Error::damaged(path, &wrong);
        let file = regular::open(path).map_err(Error::file(path, "read"))?;
        let map = map::map(&file).map_err(Error::file(path, "read"))?;
        let head = FileHead::mend(path, kind, &map).ok_or_else(unmended)?;
        let table = SectionTable::mend(&head, &map).ok_or_else(unmended)?;
        Ok((Sections(Arc::new(Inner { path: path.to_path_buf(), file, map, head, table })), Some(wrong)))
    }

    /// Returns the header that the writer of the file stored.
    pub fn header<H: DeserializeOwned>(&self) -> Result<H> {
        self.0.head.header(&self.0.path)
    }

    /// Whether there is a section of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.table.sections.iter().any(|section| section.name == name)
    }

    /// Whether there is a section of this name, and its checksum is right.
    pub fn is_whole(&self, name: &str) -> bool {
        let found = self.0.table.sections.iter().find(|section| section.name == name);
        found.is_some_and(|section| blake3::hash(self.0.bytes(section)).to_hex().as_str() == section.check)
    }

    /// Returns the values of a section, read in place.
    ///
    /// # Errors
    /// [`Error::Damaged`] if there is no section of this name, or if its values have another width than `T`.
    pub fn get<T: Pod>(&self, name: &str) -> Result<&[T]> {
        self.0.get(name)
    }

    /// Returns the values of a section as a column that keeps the file open; fails as [`Sections::get`] does.
    pub fn column<T: Pod>(&self, name: &str) -> Result<MappedColumn<T>> {
        MappedColumn::new(self, |inner| inner.get(name))
    }

    /// The bytes of the whole file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0.map
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Fails if the file became shorter after it was opened.
    pub fn refuse_cut(&self) -> Result<()> {
        let Inner { path, file, map, .. } = &*self.0;
        let len = file.metadata().map_err(Error::file(path, "read"))?.len();
        if len < map.len() as u64 {
            return Err(Error::damaged(path, format!("it was cut to {len} bytes while it was open; it had {}", map.len())));
        }
        Ok(())
    }

    /// Reads the whole file and checks every byte of it, on all threads.
    pub fn verify(&self) -> Result<()> {
        self.refuse_cut()?;
        let inner = &*self.0;
        let check = |section: &Section| {
            let check = blake3::Hasher::new().update_rayon(inner.bytes(section)).finalize();
            (check.to_hex().as_str() != section.check).then(|| format!("the checksum of section `{}` is wrong", section.name))
        };
        let wrong = on_all(|| inner.table.sections.par_iter().find_map_first(check));
        let gap = || inner.table.gaps(&inner.head).find(|gap| inner.map[gap.clone()].iter().any(|&byte| byte != 0));
        let wrong = wrong.or_else(|| gap().map(|gap| format!("the bytes {} to {} are not zero", gap.start, gap.end)));
        wrong.map_or(Ok(()), |what| Err(Error::damaged(&inner.path, what)))
    }
}

impl Inner {
    fn get<T: Pod>(&self, name: &str) -> Result<&[T]> {
        const { assert!(size_of::<T>() > 0 && align_of::<T>() as u64 <= ALIGNMENT) }
        let damaged = |what| Error::damaged(&self.path, what);
        let section = self.table.sections.iter().find(|section| section.name == name);
        let section = section.ok_or_else(|| damaged(format!("it has no section `{name}`")))?;
        let width = size_of::<T>();
        if section.width != width as u64 {
            return Err(damaged(format!("section `{name}` is of values of {} bytes, not {width}", section.width)));
        }
        bytemuck::try_cast_slice(self.bytes(section)).map_err(|error| damaged(format!("section `{name}`: {error}")))
    }

    fn bytes(&self, section: &Section) -> &[u8] {
        &self.map[section.range()]
    }
}
