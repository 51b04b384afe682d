//! Reading JSON lines of compressed files.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

use crate::compression::Compression;
use crate::error::{Error, Result};
use crate::formats::json::cutter::LinePiece;
use crate::formats::json::lines::JsonLines;
use crate::formats::json::reader::work_on;
use crate::readers::worker_pool::{ReadChunks, WorkerPool};
use crate::records::fields::FieldRoles;
use crate::reject::{RecordError, too_long};
use crate::sources::source::Source;
use crate::sources::stream::{BOM, fill, open};

struct LineChunk {
    bytes: Vec<u8>,
    offset: u64,
    tail: Option<RecordError>,
}

/// Reads JSON lines of a compressed file. One thread decompresses and cuts, the others read the records.
pub(crate) fn read<T: Send, E: From<Error> + Send>(
    pool: &WorkerPool<'_, T, E>,
    source: &Source,
    roles: &FieldRoles,
) -> Result<ReadChunks<T>, E> {
    let mut stream = open(source, pool.options.control, Some(&pool.flaws))?;
    let lines = JsonLines { roles, longest: pool.options.max_record(), encoding: source.encoding };
    let chunk = pool.options.chunk_bytes();
    let mut cutter = StreamCutter {
        stream: stream.as_mut(),
        compression: source.compression,
        chunk,
        longest: lines.longest,
        offset: 0,
        rest: Vec::new(),
        pending: None,
    };
    pool.feed(
        pool.options.threads() - 1,
        |feed| {
            loop {
                let (job, more) = cutter.cut(feed.buffer());
                let bytes = job.bytes.len();
                if !feed.send(job, bytes) || !more {
                    return Ok(());
                }
            }
        },
        &|worker, number, job: LineChunk| {
            let piece = LinePiece { start: 0, end: job.bytes.len(), offset: job.offset, tail: job.tail };
            let outcome = work_on(pool, &lines, number, piece, &job.bytes, &mut worker.records, &mut worker.scratch)?;
            Ok((outcome, job.bytes))
        },
    )
}

/// Cuts a stream into chunks of complete lines.
struct StreamCutter<'s> {
    stream: &'s mut dyn Read,
    compression: Compression,
    chunk: usize,
    longest: usize,
    /// Offset of the next chunk.
    offset: u64,
    /// Bytes already read of the first line of the next chunk.
    rest: Vec<u8>,
    /// Error that occurred while a line was skipped.
    pending: Option<io::Error>,
}

impl StreamCutter<'_> {
    /// Returns the next chunk, and whether more may follow.
    fn cut(&mut self, mut bytes: Vec<u8>) -> (LineChunk, bool) {
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
            // The bytes read of the last line are no record. The line is the place of the damage.
            Err(error) => {
                let reason = self.compression.damage(&error);
                (lines, false, Some(RecordError::new(0, offset + lines as u64, &bytes[lines..], reason).open_ended()))
            }
        };
        bytes.truncate(whole);
        self.offset += whole as u64 + tail.as_ref().map_or(0, |flaw| flaw.len);
        (LineChunk { bytes, offset, tail }, more)
    }

    /// Reads at least one chunk and at least one line end, but not much more than the longest line. Returns whether the stream
    /// ended.
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

    /// Reads to the end of a line that is too long, and discards it. `head` is its known beginning.
    fn pass_over(&mut self, head: &[u8]) -> RecordError {
        let mut flaw = RecordError::new(0, self.offset, head, too_long(self.longest));
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
