//! Writes a file of sections, one after another.

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

/// Size of the write buffer, in bytes.
const PIECE: usize = 1 << 20;

/// An incomplete file of sections. [`Writer::finish`] renames it to its name. It is removed if it is dropped before that.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    out: Partial,
    /// Bytes that were added and not written yet.
    pending: Vec<u8>,
    /// Number of bytes of `pending` that are hashed already, or must not be hashed.
    hashed: usize,
    /// The checksum of the head.
    head: [u8; 32],
    /// Number of bytes added so far.
    end: u64,
    /// The sections so far. The last one is still open.
    sections: Vec<Section>,
    /// Hasher of the last section.
    hasher: Hasher,
    /// Whether a write failed. Then the file cannot be completed.
    failed: bool,
}

/// A section that is written in pieces. It ends when the next one begins.
#[derive(Debug)]
pub struct SectionStream<'a>(&'a mut Writer);

impl Writer {
    /// Creates the file that will be at `path`.
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

    /// The path that the file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a whole section. The names of sections must differ.
    pub fn section<T: Pod>(&mut self, name: &str, values: &[T]) -> Result<()> {
        let path = self.path.clone();
        self.stream::<T>(name)?.write_all(bytemuck::cast_slice(values)).map_err(Error::file(&path, "write"))
    }

    /// Begins a section of values of `T` that is written in pieces. A piece may end within a value, but the whole section must
    /// contain whole values.
    pub fn stream<T: Pod>(&mut self, name: &str) -> Result<SectionStream<'_>> {
        assert!(self.sections.iter().all(|section| section.name != name), "two sections have the name `{name}`");
        self.end_section().map_err(Error::file(&self.path, "write"))?;
        let section = Section { name: name.to_owned(), width: size_of::<T>() as u64, offset: self.end, length: 0, check: String::new() };
        self.sections.push(section);
        Ok(SectionStream(self))
    }

    /// Completes the file and renames it to its name. Both are on the disk when this returns.
    pub fn finish(mut self) -> Result<()> {
        self.end_section().map_err(Error::file(&self.path, "write"))?;
        let table = SectionTable::bytes(&self.head, &self.sections, self.end).map_err(Error::file(&self.path, "write"))?;
        self.put(&table).map_err(Error::file(&self.path, "write"))?;
        self.flush().map_err(Error::file(&self.path, "write"))?;
        self.out.finish().map(drop)
    }

    /// Ends the last section, if there is one, and pads the file to the next multiple of [`ALIGNMENT`].
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

    /// Hashes the pending bytes at once: hashing one large piece is several times as fast as hashing many small ones.
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

    /// Writes the pending bytes.
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

    /// Does nothing: the pending bytes are written when the file is finished.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
