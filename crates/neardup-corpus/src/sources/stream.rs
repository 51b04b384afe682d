use std::fs::File;
use std::io::{self, Read};

use neardup_disk::regular;

use crate::control::JobControl;
use crate::encoding::TextEncoding;
use crate::error::{Error, Result};
use crate::flaws::Flaws;
use crate::sources::source::Source;
use crate::sources::transcode::Transcoder;

/// Byte order mark, which may precede the first line.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Opens the text of a source as UTF-8. Bytes read from disk count as progress, and ignored bytes are counted in `flaws`.
///
/// # Errors
/// The file cannot be opened, or [`Error::Memory`].
pub(crate) fn open<'c>(source: &Source, control: &'c JobControl, flaws: Option<&'c Flaws>) -> Result<Box<dyn Read + 'c>> {
    let stored = open_stored(source, control, flaws)?;
    Ok(match source.encoding {
        TextEncoding::Utf8 => stored,
        encoding => Box::new(Transcoder::new(stored, encoding.decoder())),
    })
}

/// Opens the decompressed bytes of a source, as [`open`] does.
pub(crate) fn open_stored<'c>(source: &Source, control: &'c JobControl, flaws: Option<&'c Flaws>) -> Result<Box<dyn Read + 'c>> {
    let file = regular::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    let opened = source.compression.decoder(CountedStream { file, control }, control.window(), flaws);
    opened.map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory => Error::Memory { name: source.name.clone(), reason: source.compression.damage(&error) },
        _ => Error::io(&source.path, "decompress")(error),
    })
}

/// Returns the first `count` decompressed bytes of a source, or fewer at the end or at damage. A folder may have very many files, so of
/// one that is not compressed no more is read.
pub(crate) fn first_bytes(source: &Source, count: usize) -> Vec<u8> {
    let control = JobControl::default();
    let mut bytes = Vec::new();
    let opened: Option<Box<dyn Read + '_>> = if source.compression.is_some() {
        open_stored(source, &control, None).ok()
    } else {
        regular::open(&source.path).ok().map(|file| Box::new(file) as Box<dyn Read>)
    };
    // The bytes before damage are enough.
    let _ = opened.map(|stored| stored.take(count as u64).read_to_end(&mut bytes));
    bytes
}

struct CountedStream<'c> {
    file: File,
    control: &'c JobControl,
}

impl Read for CountedStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.control.add_bytes(count as u64);
        Ok(count)
    }
}

/// Reads until `buffer` contains `want` bytes or the stream ends. Returns whether it ended. Bytes read before an error stay in
/// `buffer`.
pub(crate) fn fill(stream: &mut dyn Read, buffer: &mut Vec<u8>, want: usize) -> io::Result<bool> {
    let left = want.saturating_sub(buffer.len());
    Ok(stream.take(left as u64).read_to_end(buffer)? < left)
}
