use std::fs::File;
use std::io::{self, BufReader, Read};

use neardup_disk::regular;

use crate::compression::Compression;
use crate::control::JobControl;
use crate::error::{Error, Result};
use crate::sources::source::Source;

/// Byte order mark, which may precede the first line.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";
/// Opens the decompressed bytes of a source. Bytes read from disk count as progress.
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

/// Always requests the same number of bytes from a decoder, independent of the caller's requests.
///
/// The number of bytes that a decoder returns before it reaches damage depends on the sizes of the requests. With equal requests
/// every reading of a damaged file ends at the same byte. So the records that were read are also the ones that are kept.
struct SteadyReader<R> {
    inner: R,
    room: Box<[u8]>,
    at: usize,
    end: usize,
}

/// It is small, since the bytes that a decoder unpacked in the call that reaches the damage are lost.
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

/// Reads until `buffer` contains `want` bytes or the stream ends. Returns whether it ended. Bytes read before an error stay in
/// `buffer`.
pub(crate) fn fill(stream: &mut dyn Read, buffer: &mut Vec<u8>, want: usize) -> io::Result<bool> {
    let left = want.saturating_sub(buffer.len());
    Ok(stream.take(left as u64).read_to_end(buffer)? < left)
}

/// Returns the reason why a stream cannot be read further.
pub(crate) fn damage(compression: Compression, error: &io::Error) -> String {
    let kind = match compression {
        Compression::None => return format!("the file cannot be read further: {error}"),
        Compression::Gzip => "gzip",
        Compression::Zstd => "zstd",
    };
    let how = if error.kind() == io::ErrorKind::UnexpectedEof { "cut off" } else { "damaged" };
    format!("the {kind} stream is {how} here: {error}")
}
