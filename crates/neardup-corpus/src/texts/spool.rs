use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use neardup_disk::positioned::write_at;
use neardup_text::Text;

use crate::error::{Error, Result};
use crate::records::place::TextPlace;
use crate::records::record::Record;

/// Work file to which many threads append the texts of a source while it is read.
///
/// Texts are stored unchanged, one after another, so that a single read fetches one.
pub(crate) struct Spool {
    file: File,
    path: PathBuf,
    end: AtomicU64,
}

impl Spool {
    /// Opens the work file. It is truncated, unless a stopped run resumes and appends to it.
    pub fn open(path: &Path, resumes: bool) -> Result<Spool> {
        let file = OpenOptions::new().write(true).create(true).truncate(!resumes).open(path).map_err(Error::io(path, "write"))?;
        let end = file.metadata().map_err(Error::io(path, "read"))?.len();
        Ok(Spool { file, path: path.to_owned(), end: AtomicU64::new(end) })
    }

    /// Writes the texts of `records` and sets their places. `scratch` is reusable memory.
    pub fn take(&self, records: &mut [Record<'_>], scratch: &mut Vec<u8>) -> Result<()> {
        scratch.clear();
        for record in records.iter_mut() {
            let start = scratch.len() as u64;
            let (text, json) = match record.text {
                Text::Plain(text) => (text, false),
                Text::Json(text) => (text, true),
            };
            scratch.extend_from_slice(text);
            record.place = TextPlace::new(0, start, text.len(), json);
        }
        let base = self.end.fetch_add(scratch.len() as u64, Ordering::Relaxed);
        write_at(&self.file, scratch, base).map_err(Error::io(&self.path, "write"))?;
        for record in records {
            let place = record.place;
            record.place = TextPlace::new(0, base + place.offset(), place.len(), place.is_json());
        }
        Ok(())
    }
}
