//! Texts: what documents say, in files that are written once. Segments are merged around them.

use crate::column::Column;
use crate::folder::Kind;
use crate::identity::Identity;
use crate::sections::{Sections, Writer};
use crate::{Error, Result};
use std::io::Write;
use std::path::Path;

/// What sections of this kind are.
const KIND: &str = Kind::Texts.word();
/// The only one: one text behind the other.
const BYTES: &str = "bytes";

/// An open file of texts.
pub struct Texts {
    name: String,
    sections: Sections,
    bytes: Column<u8>,
}

impl Texts {
    /// Opens the file of this name in `folder`, and checks every byte of it; it must be one of `index`.
    pub fn open(folder: &Path, name: &str, index: &Identity) -> Result<Self> {
        let sections = Sections::open(&folder.join(name), KIND)?;
        sections.verify()?;
        index.check(&sections.header()?, sections.path())?;
        let bytes = sections.column(BYTES)?;
        Ok(Texts { name: name.to_owned(), sections, bytes })
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

/// Writes texts as the file at `path`, whole or not at all.
pub fn write<'t>(path: &Path, index: &Identity, mut texts: impl Iterator<Item = &'t [u8]>) -> Result<()> {
    let mut writer = Writer::create(path, KIND, index)?;
    // They may be larger than memory: they go out one by one.
    let mut stream = writer.stream::<u8>(BYTES)?;
    texts.try_for_each(|text| stream.write_all(text)).map_err(Error::file(path, "write"))?;
    writer.finish()
}
