use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::control::JobControl;
use crate::encoding::TextEncoding;
use crate::error::{Error, Result};
use crate::keep::{KeptFile, create, written};
use crate::records::place::SourceSpan;
use crate::sources::pieces::StoredPieces;
use crate::sources::source::Source;

/// Number of bytes that are written at once.
const ROOM: usize = 256 << 10;

/// An edit of a record: it is dropped if there is nothing to edit it with.
type Edits<'e, T> = &'e mut dyn Iterator<Item = Result<(SourceSpan, Option<T>)>>;
/// Takes the output and stored bytes.
type TakePiece<'t> = &'t mut dyn FnMut(&mut dyn Write, &[u8]) -> Result<()>;
/// Returns the new bytes of a record, both in UTF-8.
type Change<'e, T> = &'e dyn Fn(&[u8], &T) -> Result<Vec<u8>>;

/// Writes `source` with some records changed and without others, with the compression and encoding of the source. Every other byte
/// is copied as it is stored.
pub(crate) fn edit<T>(
    source: &Source,
    change: Change<'_, T>,
    edits: Edits<'_, T>,
    target: &Path,
    control: &JobControl,
) -> Result<KeptFile> {
    let failed = || Error::io(target, "write");
    let output = BufWriter::with_capacity(ROOM, create(target)?);
    let mut output = source.compression.encoder(output).map_err(failed())?;
    let pieces = StoredPieces::open(source, control)?;
    Editing { source, pieces, output: &mut output, target, control }.run(change, edits)?;
    output.finish().map_err(failed())?;
    written(target)
}

/// State while a source is copied to its target.
struct Editing<'a> {
    source: &'a Source,
    pieces: StoredPieces<'a>,
    output: &'a mut dyn Write,
    target: &'a Path,
    control: &'a JobControl,
}

impl Editing<'_> {
    fn run<T>(&mut self, change: Change<'_, T>, edits: Edits<'_, T>) -> Result<()> {
        for next in edits {
            let (span, with) = next?;
            self.copy(span.offset)?;
            match with {
                None if !self.skip(span.end())? => return Ok(()),
                None => {}
                Some(with) => self.replace(span.end(), |record| change(record, &with))?,
            }
        }
        self.copy(u64::MAX)
    }

    /// Passes the stored bytes before the offset `end` to `take`. Returns an error of reading as the inner result, and whether the
    /// source ended before `end`.
    fn read(&mut self, end: u64, take: TakePiece<'_>) -> Result<io::Result<bool>> {
        while self.pieces.offset < end {
            if self.control.is_cancelled() {
                return Err(Error::Cancelled);
            }
            match self.pieces.next(end) {
                Ok([]) => return Ok(Ok(self.pieces.offset < end)),
                Ok(piece) => take(self.output, piece)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(false))
    }

    /// Copies the bytes before `end`. Copies everything if `end` is `u64::MAX`.
    fn copy(&mut self, end: u64) -> Result<()> {
        let target = self.target;
        let copied = self.read(end, &mut |output, piece| output.write_all(piece).map_err(Error::io(target, "write")))?;
        let has_ended = copied.map_err(self.unreadable())?;
        if has_ended && end != u64::MAX { Err(self.changed()) } else { Ok(()) }
    }

    /// Skips a record. Returns whether more bytes may follow: a record that broke off reaches past the last readable byte.
    fn skip(&mut self, end: u64) -> Result<bool> {
        match self.read(end, &mut |_, _| Ok(()))? {
            Err(_) => Ok(false),
            Ok(true) => Err(self.changed()),
            Ok(false) => Ok(true),
        }
    }

    fn replace(&mut self, end: u64, change: impl Fn(&[u8]) -> Result<Vec<u8>>) -> Result<()> {
        let mut stored = Vec::new();
        let read = self.read(end, &mut |_, piece| {
            stored.extend_from_slice(piece);
            Ok(())
        })?;
        if read.map_err(self.unreadable())? {
            return Err(self.changed());
        }
        let encoding = self.source.encoding;
        let bytes = if encoding == TextEncoding::Utf8 { change(&stored)? } else { self.encode(&change(&encoding.to_utf8(&stored))?)? };
        self.output.write_all(&bytes).map_err(Error::io(self.target, "write"))
    }

    fn encode(&self, record: &[u8]) -> Result<Vec<u8>> {
        let text = std::str::from_utf8(record).map_err(|_| self.changed())?;
        self.source.encoding.encode(text).map_err(|character| Error::Unencodable {
            name: self.source.name.clone(),
            encoding: self.source.encoding.name(),
            character,
        })
    }

    fn unreadable(&self) -> impl FnOnce(io::Error) -> Error + use<> {
        Error::io(&self.source.path, if self.source.compression.is_some() { "decompress" } else { "read" })
    }

    fn changed(&self) -> Error {
        Error::Changed { path: self.source.path.clone() }
    }
}
