use std::fs::File;
use std::io::{self, BufReader, Read};

use memchr::{memchr, memrchr};
use neardup_disk::regular;

use crate::control::Control;
use crate::crew::{Crew, Gathered};
use crate::cut::{BOM, Piece};
use crate::error::{Error, Result};
use crate::fields::Roles;
use crate::format::Compression;
use crate::lines::{Lines, too_long};
use crate::read::work_on;
use crate::reject::Flaw;
use crate::source::Source;

/// The bytes of a source as they read when decompressed; what is taken from disk counts as progress.
pub(crate) fn open<'c>(source: &Source, control: &'c Control) -> Result<Box<dyn Read + 'c>> {
    let file = regular::open(&source.path).map_err(Error::io(&source.path, "read"))?;
    let counted = BufReader::with_capacity(1 << 17, Counted { file, control });
    Ok(match source.compression {
        Compression::None => Box::new(counted),
        Compression::Gzip => Box::new(Steady::new(flate2::bufread::MultiGzDecoder::new(counted))),
        Compression::Zstd => {
            let decoder = zstd::Decoder::with_buffer(counted).map_err(Error::io(&source.path, "decompress"))?;
            Box::new(Steady::new(decoder))
        }
    })
}

/// Asks a decoder always for as many bytes, whatever it is asked for itself.
///
/// How much a decoder gives before it meets damage depends on the sizes it is asked for. Here every
/// reading of a damaged file gets equally far, so that what was read is also what is kept.
struct Steady<R> {
    inner: R,
    room: Box<[u8]>,
    at: usize,
    end: usize,
}

/// Small, since what a decoder unpacked in the call that meets the damage is lost.
const STEADY: usize = 32 << 10;

impl<R> Steady<R> {
    fn new(inner: R) -> Self {
        Steady { inner, room: vec![0; STEADY].into_boxed_slice(), at: 0, end: 0 }
    }
}

impl<R: Read> Read for Steady<R> {
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

struct Counted<'c> {
    file: File,
    control: &'c Control,
}

impl Read for Counted<'_> {
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

struct Job {
    bytes: Vec<u8>,
    offset: u64,
    tail: Option<Flaw>,
}

/// JSON lines of a compressed file: one thread decompresses and cuts, the others read the records.
pub(crate) fn read<T: Send, E: From<Error> + Send>(crew: &Crew<'_, T, E>, source: &Source, roles: &Roles) -> Result<Gathered<T>, E> {
    let mut stream = open(source, crew.options.control)?;
    let lines = Lines { roles, longest: crew.options.max_record() };
    let chunk = crew.options.chunk_bytes();
    let mut cutter = Cutter {
        stream: stream.as_mut(),
        compression: source.compression,
        chunk,
        longest: lines.longest,
        offset: 0,
        rest: Vec::new(),
        pending: None,
    };
    crew.feed(
        crew.options.threads() - 1,
        |feed| {
            loop {
                let (job, more) = cutter.cut(feed.buffer());
                let bytes = job.bytes.len();
                if !feed.send(job, bytes) || !more {
                    return Ok(());
                }
            }
        },
        &|desk, number, job: Job| {
            let piece = Piece { start: 0, end: job.bytes.len(), offset: job.offset, tail: job.tail };
            let outcome = work_on(crew, &lines, number, piece, &job.bytes, &mut desk.records, &mut desk.scratch)?;
            Ok((outcome, job.bytes))
        },
    )
}

/// Cuts a stream into chunks of whole lines.
struct Cutter<'s> {
    stream: &'s mut dyn Read,
    compression: Compression,
    chunk: usize,
    longest: usize,
    /// Where the next chunk begins.
    offset: u64,
    /// What was read of the line that the next chunk begins with.
    rest: Vec<u8>,
    /// An error met while a line was passed over.
    pending: Option<io::Error>,
}

impl Cutter<'_> {
    /// The next chunk, and whether there may be more.
    fn cut(&mut self, mut bytes: Vec<u8>) -> (Job, bool) {
        bytes.clear();
        bytes.append(&mut self.rest);
        let grown = self.grow(&mut bytes);
        if self.offset == 0 && bytes.starts_with(BOM) {
            bytes.drain(..BOM.len());
            self.offset = BOM.len() as u64;
        }
        let offset = self.offset;
        let lines = memrchr(b'\n', &bytes).map_or(0, |at| at + 1);
        let (whole, more, tail) = match grown {
            Ok(true) => (bytes.len(), false, None),
            Ok(false) if lines > 0 => {
                self.rest.extend_from_slice(&bytes[lines..]);
                (lines, true, None)
            }
            Ok(false) => (0, true, Some(self.pass_over(&bytes))),
            // What came of the last line is no record; the line is the place of the damage.
            Err(error) => {
                let reason = damage(self.compression, &error);
                (lines, false, Some(Flaw::new(0, offset + lines as u64, &bytes[lines..], reason).open_ended()))
            }
        };
        bytes.truncate(whole);
        self.offset += whole as u64 + tail.as_ref().map_or(0, |flaw| flaw.len);
        (Job { bytes, offset, tail }, more)
    }

    /// Reads at least a chunk and at least one line end, but not much more than the longest line; says whether the stream ended.
    fn grow(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
        if let Some(error) = self.pending.take() {
            return Err(error);
        }
        let mut want = self.chunk.max(bytes.len() + 1);
        let mut searched = 0;
        loop {
            if fill(self.stream, bytes, want)? {
                return Ok(true);
            }
            if memchr(b'\n', &bytes[searched..]).is_some() || bytes.len() > self.longest {
                return Ok(false);
            }
            searched = bytes.len();
            want = bytes.len() + bytes.len().clamp(1, 16 << 20);
        }
    }

    /// Reads on to the end of a line that is too long, of which `head` is known, without keeping it.
    fn pass_over(&mut self, head: &[u8]) -> Flaw {
        let mut flaw = Flaw::new(0, self.offset, head, too_long(self.longest));
        let mut room = Vec::new();
        loop {
            room.clear();
            let filled = fill(self.stream, &mut room, 1 << 18);
            let line = memchr(b'\n', &room).map(|at| at + 1);
            flaw.len += line.unwrap_or(room.len()) as u64;
            self.rest.extend_from_slice(&room[line.unwrap_or(room.len())..]);
            let ended = filled.unwrap_or_else(|error| {
                self.pending = Some(error);
                true
            });
            if ended || line.is_some() {
                return flaw;
            }
        }
    }
}
