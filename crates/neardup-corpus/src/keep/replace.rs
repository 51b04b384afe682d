use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use crate::compression::Compression;
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::keep::{KeptFile, create, written};
use crate::records::place::SourceSpan;
use crate::sources::source::Source;
use crate::sources::stream::open;

/// Number of bytes that are copied at once.
const ROOM: usize = 1 << 18;

/// An edit of a record: it is dropped if there is nothing to edit it with.
type Edits<'e, T> = &'e mut dyn Iterator<Item = Result<(SourceSpan, Option<T>)>>;
/// Returns the new bytes of a record.
type Edit<'e, T> = &'e dyn Fn(&[u8], &T) -> Result<Vec<u8>>;

/// Writes the decompressed bytes of `source` with some records edited and without others, with the compression of the source.
pub(crate) fn replace<T>(source: &Source, edit: Edit<'_, T>, edits: Edits<'_, T>, target: &Path, control: &JobControl) -> Result<KeptFile> {
    let failed = || Error::io(target, "write");
    let output = BufWriter::with_capacity(ROOM, create(target)?);
    let mut pass = |output: &mut dyn Write| {
        let mut editing = Editing { source, input: open(source, control)?, at: 0, output, target, room: Vec::new(), control };
        editing.run(edit, edits)
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
    written(target)
}

/// State while a source is copied to its target.
struct Editing<'a> {
    source: &'a Source,
    input: Box<dyn Read + 'a>,
    /// Offset of the next byte to read, in decompressed bytes.
    at: u64,
    output: &'a mut dyn Write,
    target: &'a Path,
    room: Vec<u8>,
    control: &'a JobControl,
}

impl Editing<'_> {
    fn run<T>(&mut self, edit: Edit<'_, T>, edits: Edits<'_, T>) -> Result<()> {
        for next in edits {
            let (span, with) = next?;
            self.copy(span.offset)?;
            match with {
                None if !self.skip(span.end())? => return Ok(()),
                None => {}
                Some(with) => self.replace(span.end(), |record| edit(record, &with))?,
            }
        }
        self.copy(u64::MAX)?;
        Ok(())
    }

    /// Reads at most up to `end`, and at most one buffer. Returns the number of bytes, or 0 at the end of the source.
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

    /// Copies the bytes before `end`. Copies everything if `end` is `u64::MAX`.
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

    /// Skips a record. Returns whether more bytes may follow: a record that broke off reaches past the last readable byte.
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

    fn replace(&mut self, end: u64, edit: impl Fn(&[u8]) -> Result<Vec<u8>>) -> Result<()> {
        let mut record = Vec::new();
        while self.at < end {
            let count = self.read(end)?.map_err(Error::io(&self.source.path, "read"))?;
            if count == 0 {
                return Err(self.changed());
            }
            record.extend_from_slice(&self.room[..count]);
        }
        self.output.write_all(&edit(&record)?).map_err(Error::io(self.target, "write"))
    }

    fn changed(&self) -> Error {
        Error::Changed { path: self.source.path.clone() }
    }
}
