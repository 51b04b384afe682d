use std::fs::File;
use std::io::{self, BufReader, Read};

use neardup_disk::regular;

use crate::compression::Compression;
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::sources::source::Source;

/// A byte order mark, which may be before the first line.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";
/// The bytes of a source as they read when decompressed; what is taken from disk counts as progress.
pub(crate) fn open<'c>(source: &Source, control: &'c JobControl) -> Result<Box<dyn Read + 'c>> {
    let file = regular::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    let counted = BufReader::with_capacity(1 << 17, CountedStream { file, control });
    Ok(match source.compression {
        Compression::None => Box::new(counted),
        Compression::Gzip => Box::new(SteadyReader::new(flate2::bufread::MultiGzDecoder::new(counted))),
        Compression::Zstd => {
            let decoder = zstd::Decoder::with_buffer(counted).map_err(Error::io(&source.path, "decompress"))?;
            Box::new(SteadyReader::new(decoder))
        }
    })
}

/// Asks a decoder always for as many bytes, whatever it is asked for itself.
///
/// How much a decoder gives before it meets damage depends on the sizes it is asked for. Here every
/// reading of a damaged file gets equally far, so that what was read is also what is kept.
struct SteadyReader<R> {
    inner: R,
    room: Box<[u8]>,
    at: usize,
    end: usize,
}

/// Small, since what a decoder unpacked in the call that meets the damage is lost.
const STEADY: usize = 32 << 10;

impl<R> SteadyReader<R> {
    fn new(inner: R) -> Self {
        SteadyReader { inner, room: vec![0; STEADY].into_boxed_slice(), at: 0, end: 0 }
    }
}

impl<R: Read> Read for SteadyReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.end {
            (self.at, self.end) = (0, 0);
            self.end = self.inner.read(&mut self.room)?;
        }
        let count = buffer.len().min(self.end - self.at);
        buffer[..count].copy_from_slice(&self.room[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
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

/// Reads until `buffer` holds `want` bytes or the stream ends; says whether it ended. What came before an error is kept.
pub(crate) fn fill(stream: &mut dyn Read, buffer: &mut Vec<u8>, want: usize) -> io::Result<bool> {
    let left = want.saturating_sub(buffer.len());
    Ok(stream.take(left as u64).read_to_end(buffer)? < left)
}

/// Why a compressed stream could not be read on.
pub(crate) fn damage(compression: Compression, error: &io::Error) -> String {
    let kind = match compression {
        Compression::None => return format!("the file cannot be read on: {error}"),
        Compression::Gzip => "gzip",
        Compression::Zstd => "zstd",
    };
    let how = if error.kind() == io::ErrorKind::UnexpectedEof { "cut off" } else { "damaged" };
    format!("the {kind} stream is {how} here: {error}")
}
