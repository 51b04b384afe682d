use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use crate::control::Control;
use crate::error::{Error, Result};
use crate::format::{Compression, Format};
use crate::keep::edit::Edit;
use crate::keep::retext::Home;
use crate::keep::{Kept, keep, rows};
use crate::records::fields::Fields;
use crate::records::place::Span;
use crate::sources::source::Source;
use crate::sources::stream::open;

/// How much is copied at once.
const ROOM: usize = 1 << 18;

/// Whether [`rewrite`] knows the kind of a source.
pub fn rewrites(source: &Source) -> bool {
    matches!(source.format, Format::Jsonl | Format::Plain | Format::Csv(_) | Format::Parquet)
}

/// Writes `source` to `target` with other texts in some records and without others; edits are in order and do not overlap, and
/// `last` is the span of the last record that goes.
///
/// Of a line of JSON the value of the text field is written anew, as UTF-8 with the escapes that JSON asks for, of a record of
/// CSV the field, in quotes; every other byte stays, and so do all other records. Of a file that is one document a byte order
/// mark stays. What is compressed is compressed anew in the same format. Parquet keeps all other values, schema, metadata and
/// compression. Errors: as [`keep`] and the edits themselves.
pub fn rewrite<E: From<Error>>(
    source: &Source,
    fields: &Fields,
    edits: &mut dyn Iterator<Item = Result<Edit, E>>,
    last: Option<Span>,
    target: &Path,
    control: &Control,
) -> Result<Kept, E> {
    let Some(first) = edits.next().transpose()? else { return Ok(keep(source, &[], target, 1, control)?) };
    let second = edits.next().transpose()?;
    // A file that is one document goes, or one of which nothing can be read: it has no place for a text.
    if second.is_none() && first.1.is_none() {
        return Ok(keep(source, &[first.0], target, 1, control)?);
    }
    let mut edits = [first].into_iter().chain(second).map(Ok).chain(edits);
    if let Some(folder) = target.parent() {
        std::fs::create_dir_all(folder).map_err(Error::io(folder, "make"))?;
    }
    if source.format == Format::Parquet {
        rows::rewrite(source, &fields.text, &mut edits, last, target, control)?;
        return Ok(written(target)?);
    }
    let home = Home::of(source, fields)?.ok_or_else(|| Error::Changed { path: source.path.clone() })?;
    let failed = || Error::io(target, "write");
    let output = BufWriter::with_capacity(ROOM, File::create(target).map_err(failed())?);
    let mut pass = |output: &mut dyn Write| {
        let mut editing = Editing { source, input: open(source, control)?, at: 0, output, target, room: Vec::new(), control };
        editing.run(&home, &mut edits)
    };
    match source.compression {
        Compression::None => {
            let mut output = output;
            pass(&mut output)?;
            output.flush().map_err(failed())?;
        }
        Compression::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(output, flate2::Compression::default());
            pass(&mut encoder)?;
            encoder.finish().and_then(|mut output| output.flush()).map_err(failed())?;
        }
        Compression::Zstd => {
            let mut encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL).map_err(failed())?;
            pass(&mut encoder)?;
            encoder.finish().and_then(|mut output| output.flush()).map_err(failed())?;
        }
    }
    Ok(written(target)?)
}

fn written(target: &Path) -> Result<Kept> {
    let bytes = std::fs::metadata(target).map_err(Error::io(target, "write"))?.len();
    Ok(Kept { bytes, written: true })
}

/// A source on its way to its target.
struct Editing<'a> {
    source: &'a Source,
    input: Box<dyn Read + 'a>,
    /// How far it is read, decompressed.
    at: u64,
    output: &'a mut dyn Write,
    target: &'a Path,
    room: Vec<u8>,
    control: &'a Control,
}

impl Editing<'_> {
    fn run<E: From<Error>>(&mut self, home: &Home, edits: &mut dyn Iterator<Item = Result<Edit, E>>) -> Result<(), E> {
        for edit in edits {
            let (span, text) = edit?;
            self.copy(span.offset)?;
            match text {
                None if !self.skip(span.end())? => return Ok(()),
                None => {}
                Some(text) => self.replace(span.end(), &text, home)?,
            }
        }
        self.copy(u64::MAX)?;
        Ok(())
    }

    /// Reads up to `end`, as much as there is room; how much, 0 at the end.
    fn read(&mut self, end: u64) -> Result<io::Result<usize>> {
        if self.control.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.room.resize(ROOM, 0);
        let wanted = usize::try_from(end - self.at).unwrap_or(ROOM).min(ROOM);
        loop {
            match self.input.read(&mut self.room[..wanted]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(count) => {
                    self.at += count as u64;
                    return Ok(Ok(count));
                }
                failed => return Ok(failed),
            }
        }
    }

    /// Copies what stands before `end`; everything, when that is beyond all.
    fn copy(&mut self, end: u64) -> Result<()> {
        while self.at < end {
            let count = self.read(end)?.map_err(Error::io(&self.source.path, "read"))?;
            if count == 0 {
                return if end == u64::MAX { Ok(()) } else { Err(self.changed()) };
            }
            self.output.write_all(&self.room[..count]).map_err(Error::io(self.target, "write"))?;
        }
        Ok(())
    }

    /// Passes over a record; whether more may come: a record that broke off reaches beyond what can be read.
    fn skip(&mut self, end: u64) -> Result<bool> {
        while self.at < end {
            match self.read(end)? {
                Err(_) => return Ok(false),
                Ok(0) => return Err(self.changed()),
                Ok(_) => {}
            }
        }
        Ok(true)
    }

    fn replace(&mut self, end: u64, text: &str, home: &Home) -> Result<()> {
        let mut record = Vec::new();
        while self.at < end {
            let count = self.read(end)?.map_err(Error::io(&self.source.path, "read"))?;
            if count == 0 {
                return Err(self.changed());
            }
            record.extend_from_slice(&self.room[..count]);
        }
        let written = home.with_text(&record, text).ok_or_else(|| self.changed())?;
        self.output.write_all(&written).map_err(Error::io(self.target, "write"))
    }

    fn changed(&self) -> Error {
        Error::Changed { path: self.source.path.clone() }
    }
}
