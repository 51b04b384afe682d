use std::fs::File;

use memchr::{memchr, memrchr};
use neardup_disk::positioned::read_at;

use crate::reject::{RecordError, too_long};
use crate::sources::stream::BOM;

/// Complete lines in a buffer.
pub(crate) struct LinePiece {
    pub start: usize,
    pub end: usize,
    /// Offset of `start` in the source.
    pub offset: u64,
    /// A last line that could not be read. Its row is not set.
    pub tail: Option<RecordError>,
}

/// Cuts an uncompressed file into chunks of complete lines. Each chunk can be cut independently.
pub(crate) struct Cutter<'f> {
    pub file: &'f File,
    pub len: u64,
    pub chunk: u64,
    pub longest: usize,
}

/// Bytes that are read after a chunk to find the end of its last line. Each further read is as long as all previous ones together,
/// up to the maximum.
const STEP: usize = 32 << 10;
const MOST: usize = 16 << 20;

impl Cutter<'_> {
    /// Returns the number of bytes of the file that belong to a chunk.
    pub fn share(&self, number: u64) -> u64 {
        self.chunk.min(self.len - number * self.chunk)
    }

    /// Reads the lines that begin in chunk `number` into the buffer. Before the buffer grows, `grow` is called with the new number
    /// of bytes.
    pub fn cut(&self, number: u64, buffer: &mut Vec<u8>, grow: &mut dyn FnMut(usize)) -> std::io::Result<LinePiece> {
        let first = number * self.chunk;
        // Reading starts one byte earlier, since a line begins here if that byte ends one.
        let low = first.saturating_sub(1);
        let mut limit = (first + self.share(number) - low) as usize;
        let mut have = self.fill(buffer, 0, low, limit.max(BOM.len() + 1))?;
        let start = if number > 0 {
            memchr(b'\n', &buffer[..limit]).map_or(limit, |at| at + 1)
        } else if buffer[..have].starts_with(BOM) {
            // The line after the byte order mark belongs to the first chunk, however short the chunk is.
            limit = limit.max(have.min(BOM.len() + 1));
            BOM.len()
        } else {
            0
        };
        let piece = |end, tail| LinePiece { start: start.min(end), end, offset: low + start as u64, tail };
        if start >= limit {
            return Ok(piece(start, None));
        }
        let last = memrchr(b'\n', &buffer[start..limit - 1]).map_or(start, |at| start + at + 1);
        let mut searched = limit - 1;
        loop {
            if let Some(at) = memchr(b'\n', &buffer[searched..have]) {
                return Ok(piece(searched + at + 1, None));
            }
            if low + have as u64 >= self.len {
                return Ok(piece(have, None));
            }
            searched = have;
            if have - last > self.longest {
                let len = self.line_end(low + have as u64)? - low - last as u64;
                let flaw = RecordError::new(0, low + last as u64, &buffer[last..have], too_long(self.longest));
                return Ok(piece(last, Some(RecordError { len, ..flaw })));
            }
            let want = have + (have - limit).clamp(STEP, MOST);
            grow(want);
            have = self.fill(buffer, have, low, want)?;
        }
    }

    /// Fills the buffer up to `want` bytes with the file from `low` on. The first `have` bytes are already there.
    fn fill(&self, buffer: &mut Vec<u8>, have: usize, low: u64, want: usize) -> std::io::Result<usize> {
        let want = usize::try_from(self.len - low).map_or(want, |left| want.min(left));
        if buffer.len() < want {
            buffer.resize(want, 0);
        }
        let count = read_at(self.file, &mut buffer[have..want], low + have as u64)?;
        if have + count < want {
            return Err(std::io::Error::other("the file became shorter while it was being read"));
        }
        Ok(want)
    }

    /// Returns the position after the first line end at or after `from`.
    fn line_end(&self, mut from: u64) -> std::io::Result<u64> {
        let mut room = vec![0; STEP];
        while from < self.len {
            let count = read_at(self.file, &mut room, from)?;
            if let Some(at) = memchr(b'\n', &room[..count]) {
                return Ok(from + at as u64 + 1);
            }
            if count == 0 {
                break;
            }
            from += count as u64;
        }
        Ok(from.min(self.len))
    }
}

#[cfg(test)]
mod tests {
    use super::Cutter;
    use std::fs;
    use std::io::ErrorKind;

    #[test]
    fn a_file_that_is_cut_while_it_is_read_is_an_error_in_every_chunk() {
        let line = b"{\"text\": \"a line\"}\n";
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("docs.jsonl");
        fs::write(&path, line.repeat(40)).unwrap();
        let file = fs::File::options().read(true).write(true).open(&path).unwrap();
        let cutter = Cutter { file: &file, len: 40 * line.len() as u64, chunk: 100, longest: 1 << 20 };
        let cut = |number| cutter.cut(number, &mut Vec::new(), &mut |_| ()).map(|piece| piece.end - piece.start);
        let chunks = cutter.len.div_ceil(cutter.chunk);
        assert_eq!((0..chunks).map(|number| cut(number).unwrap()).sum::<usize>() as u64, cutter.len);
        file.set_len(3 * line.len() as u64).unwrap();
        for number in 0..chunks {
            let error = cut(number).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Other, "{number}");
            assert!(error.to_string().contains("became shorter"));
        }
    }
}
