use std::path::{Path, PathBuf};

use neardup_disk::positioned::read_at;
use neardup_text::{Text, string_end};

use crate::error::{Error, Result};
use crate::records::field_name::has_several;
use crate::records::fields::Fields;
use crate::records::place::TextPlace;
use crate::sources::handle::FileHandle;
use crate::sources::source::Source;
use crate::texts::strings::TextColumn;

/// The texts of one reading. Each can be fetched again by its [`TextPlace`], from many threads at once.
#[derive(Debug)]
pub struct CorpusTexts(TextSource);

#[derive(Debug)]
enum TextSource {
    /// In the lines of a JSONL file.
    Lines(FileHandle),
    /// Each text is a file. The `part` of its place is the index of the file.
    Files(Vec<PathBuf>),
    /// In a work file.
    Spool(FileHandle),
    /// In batches in memory. The `part` of a place is the batch, and the `offset` is the row.
    Batches(Vec<TextColumn>),
}

/// Whether the texts of a source can be fetched from the source itself.
pub(crate) fn are_in_place(source: &Source, fields: &Fields) -> bool {
    // A value that is not a string has no closing quote, which `fetch` checks, and several texts have no place.
    let is_string = fields.html.is_none() && fields.given.is_none() && !has_several(&fields.text);
    is_string && source.is_plain() && source.format.0.has_texts_in_place
}

impl CorpusTexts {
    /// Opens the texts of sources that were read together with these fields and this work file.
    pub fn open(sources: &[Source], fields: &Fields, spool: &Path) -> Result<CorpusTexts> {
        match sources {
            [source] if source.broken.is_some() => Ok(CorpusTexts(TextSource::Files(Vec::new()))),
            files if files.iter().all(|source| source.format.is_one_document() && are_in_place(source, &Fields::default())) => {
                Ok(CorpusTexts(TextSource::Files(files.iter().map(|source| source.path.clone()).collect())))
            }
            [source] if are_in_place(source, fields) => Ok(CorpusTexts(TextSource::Lines(FileHandle::open(&source.path)?))),
            _ => CorpusTexts::spooled(spool),
        }
    }

    /// Opens the texts in a work file.
    pub fn spooled(spool: &Path) -> Result<CorpusTexts> {
        Ok(CorpusTexts(TextSource::Spool(FileHandle::open(spool)?)))
    }

    pub(crate) fn batches(columns: Vec<TextColumn>) -> CorpusTexts {
        CorpusTexts(TextSource::Batches(columns))
    }

    /// Fetches one text. `buffer` is reusable memory, which may hold its bytes.
    ///
    /// Bytes from a file are checked again: a file that changed since it was read is [`Error::Changed`].
    pub fn fetch<'b>(&'b self, place: TextPlace, buffer: &'b mut Vec<u8>) -> Result<Text<'b>> {
        match &self.0 {
            // A missing text has no quotes.
            TextSource::Lines(_) if place.is_empty() => Ok(Text::Plain(b"")),
            TextSource::Lines(handle) => {
                // The closing quote proves that the text still ends where it did.
                let whole = fill(buffer, place.len() + 1, |room| handle.with(|file| read_at(file, room, place.offset())))?;
                let ends =
                    whole && string_end(buffer, 0).is_some_and(|string| string.end == place.len() && string.escaped == place.is_json());
                checked(buffer, place, ends, handle.path())
            }
            TextSource::Spool(handle) => {
                let whole = fill(buffer, place.len(), |room| handle.with(|file| read_at(file, room, place.offset())))?;
                checked(buffer, place, whole, handle.path())
            }
            TextSource::Files(paths) => {
                let path = paths.get(place.part() as usize).map_or(Path::new(""), PathBuf::as_path);
                let read = |room: &mut [u8]| std::fs::File::open(path).and_then(|file| read_at(&file, room, place.offset()));
                let whole = fill(buffer, place.len(), |room| read(room).map_err(Error::io(path, "read")))?;
                checked(buffer, place, whole, path)
            }
            TextSource::Batches(columns) => {
                let text = columns.get(place.part() as usize).and_then(|column| column.get(place.offset() as usize));
                Ok(Text::Plain(text.unwrap_or_default().as_bytes()))
            }
        }
    }
}

/// Resizes the buffer to `len` bytes and fills it. Returns whether `len` bytes could be read.
fn fill(buffer: &mut Vec<u8>, len: usize, read: impl FnOnce(&mut [u8]) -> Result<usize>) -> Result<bool> {
    buffer.resize(len, 0);
    Ok(read(buffer)? == len)
}

fn checked<'b>(buffer: &'b [u8], place: TextPlace, whole: bool, path: &Path) -> Result<Text<'b>> {
    let text = &buffer[..place.len()];
    if !whole || simdutf8::basic::from_utf8(text).is_err() {
        return Err(Error::Changed { path: path.to_owned() });
    }
    Ok(if place.is_json() { Text::Json(text) } else { Text::Plain(text) })
}
