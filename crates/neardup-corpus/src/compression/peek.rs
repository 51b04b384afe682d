use std::io::{self, BufRead, Read};

/// Bytes that a read requests.
const ROOM: usize = 128 << 10;

/// A buffered stream whose next bytes can be looked at.
pub(crate) struct PeekReader<'c> {
    inner: Box<dyn Read + 'c>,
    room: Vec<u8>,
    at: usize,
}

impl<'c> PeekReader<'c> {
    pub fn new(inner: impl Read + 'c) -> PeekReader<'c> {
        PeekReader { inner: Box::new(inner), room: Vec::new(), at: 0 }
    }

    /// Returns the next `count` bytes without reading past them, or fewer at the end of the stream.
    pub fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        if self.room.len() - self.at < count {
            self.room.drain(..self.at);
            self.at = 0;
            let missing = ROOM.max(count) - self.room.len();
            Read::take(&mut self.inner, missing as u64).read_to_end(&mut self.room)?;
        }
        Ok(&self.room[self.at..self.room.len().min(self.at + count)])
    }
}

impl Read for PeekReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for PeekReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)?;
        Ok(&self.room[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}
