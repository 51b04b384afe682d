//! Writing a file of sections, one after another.

use super::ALIGNMENT;
use super::table::{Section, SectionTable};
use crate::storage::head::FileHead;
use crate::storage::partial::Partial;
use crate::{Error, Result};
use blake3::Hasher;
use bytemuck::Pod;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What is gathered before it is written, in bytes.
const PIECE: usize = 1 << 20;

/// A file of sections in the making. It gets its name by [`Writer::finish`], and is removed when it is given up.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    out: Partial,
    /// Gathered, and not written.
    pending: Vec<u8>,
    /// How much of that the hasher has seen, or is not to see.
    hashed: usize,
    /// The checksum of the head.
    head: [u8; 32],
    /// How much was written.
    end: u64,
    /// Those begun; the last of them is still written to.
    sections: Vec<Section>,
    /// Of what the last of them holds so far.
    hasher: Hasher,
    /// Whether a write failed, so that the file can no longer become what it should be.
    failed: bool,
}

/// A section that is written in pieces; it ends where the next one begins.
#[derive(Debug)]
pub struct SectionStream<'a>(&'a mut Writer);

impl Writer {
    /// Begins the file that will be at `path`.
    pub fn create(path: &Path, kind: &str, header: &impl Serialize) -> Result<Writer> {
        let head = FileHead::bytes(path, kind, header)?;
        let check = FileHead::read(path, kind, &mut &head[..])?.check;
        let mut writer = Writer {
            path: path.to_path_buf(),
            out: Partial::create(path)?,
            pending: Vec::with_capacity(PIECE),
            hashed: 0,
            head: check,
            end: 0,
            sections: Vec::new(),
            hasher: Hasher::new(),
            failed: false,
        };
        writer.put(&head).map_err(Error::file(path, "write"))?;
        Ok(writer)
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a section at once. No two sections may have one name.
    pub fn section<T: Pod>(&mut self, name: &str, values: &[T]) -> Result<()> {
        let path = self.path.clone();
        self.stream::<T>(name)?.write_all(bytemuck::cast_slice(values)).map_err(Error::file(&path, "write"))
    }

    /// Begins a section of values of `T` that is written in pieces. Where a piece ends is free, but in the end the section
    /// holds whole values.
    pub fn stream<T: Pod>(&mut self, name: &str) -> Result<SectionStream<'_>> {
        assert!(self.sections.iter().all(|section| section.name != name), "two sections have the name `{name}`");
        self.end_section().map_err(Error::file(&self.path, "write"))?;
        let section = Section { name: name.to_owned(), width: size_of::<T>() as u64, offset: self.end, length: 0, check: String::new() };
        self.sections.push(section);
        Ok(SectionStream(self))
    }

    /// Ends the file and gives it its name; both are on the disk when this returns.
    pub fn finish(mut self) -> Result<()> {
        self.end_section().map_err(Error::file(&self.path, "write"))?;
        let table = SectionTable::bytes(&self.head, &self.sections, self.end).map_err(Error::file(&self.path, "write"))?;
        self.put(&table).map_err(Error::file(&self.path, "write"))?;
        self.flush().map_err(Error::file(&self.path, "write"))?;
        self.out.finish().map(drop)
    }

    /// Ends the last section, if there is one, and goes to where the next can begin.
    fn end_section(&mut self) -> io::Result<()> {
        self.hash();
        if let Some(section) = self.sections.last_mut() {
            section.length = self.end - section.offset;
            section.check = self.hasher.finalize().to_hex().to_string();
            assert!(section.length.is_multiple_of(section.width), "section `{}` ends within a value", section.name);
        }
        self.hasher.reset();
        let padding = self.end.next_multiple_of(ALIGNMENT) - self.end;
        self.put(&[0; ALIGNMENT as usize][..padding as usize])?;
        self.hashed = self.pending.len();
        Ok(())
    }

    /// Takes up what was gathered, all at once: a hash of a large piece is several times as fast as that of many small ones.
    fn hash(&mut self) {
        self.hasher.update(&self.pending[self.hashed..]);
        self.hashed = self.pending.len();
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed"));
        }
        if self.pending.len() + bytes.len() > PIECE {
            self.flush()?;
        }
        if bytes.len() > PIECE {
            self.hasher.update(bytes);
            self.write(bytes)?;
        } else {
            self.pending.extend_from_slice(bytes);
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Writes what was gathered.
    fn flush(&mut self) -> io::Result<()> {
        self.hash();
        self.hashed = 0;
        let mut pending = std::mem::take(&mut self.pending);
        self.write(&pending)?;
        pending.clear();
        self.pending = pending;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.failed = true;
        self.out.write_all(bytes)?;
        self.failed = false;
        Ok(())
    }
}

impl Write for SectionStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.put(bytes)?;
        Ok(bytes.len())
    }

    /// Nothing waits here: the file is written out when it is finished.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
