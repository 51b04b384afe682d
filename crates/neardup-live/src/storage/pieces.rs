//! Pieces: one slice of values per document, of any length, one after another in a section.

use crate::storage::sections::column::MappedColumn;
use crate::storage::sections::{Sections, Writer};
use crate::{Error, Result};
use bytemuck::Pod;
use std::io::Write;

/// The pieces of a section, by document.
pub struct SectionPieces<T: Pod> {
    ends: MappedColumn<u64>,
    values: MappedColumn<T>,
}

impl<T: Pod> SectionPieces<T> {
    /// Opens the pieces in the section `name`. The section `name.ends` contains the end of each.
    pub fn open(sections: &Sections, name: &str) -> Result<Self> {
        let pieces = SectionPieces { ends: sections.column(&ends(name))?, values: sections.column(name)? };
        let whole = pieces.ends.is_sorted() && pieces.ends.last().copied().unwrap_or(0) == pieces.values.len() as u64;
        whole.then_some(pieces).ok_or_else(|| Error::damaged(sections.path(), format!("the pieces of {name} do not fit together")))
    }

    /// Number of documents.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the piece of a document.
    #[inline]
    pub fn get(&self, document: usize) -> &[T] {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        &self.values[start as usize..self.ends[document] as usize]
    }
}

/// Returns the name of the section that contains the ends of the pieces of the section `name`.
pub fn ends(name: &str) -> String {
    format!("{name}.ends")
}

/// Writes pieces as the section `name`, document by document.
pub fn write<'p, T: Pod>(writer: &mut Writer, name: &str, pieces: impl Iterator<Item = &'p [T]> + Clone) -> Result<()> {
    let path = writer.path().to_path_buf();
    let ends_of = pieces.clone().scan(0, |end, piece| {
        *end += piece.len() as u64;
        Some(*end)
    });
    writer.section(&ends(name), &ends_of.collect::<Vec<u64>>())?;
    let mut stream = writer.stream::<T>(name)?;
    let mut pieces = pieces;
    pieces.try_for_each(|piece| stream.write_all(bytemuck::cast_slice(piece))).map_err(Error::file(&path, "write"))
}
