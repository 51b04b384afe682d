use std::io::{self, Read};

/// Always requests the same number of bytes from a decoder, independent of the caller's requests.
///
/// The number of bytes that a decoder returns before it reaches damage depends on the sizes of the requests. With equal requests
/// every reading of a damaged file ends at the same byte. So the records that were read are also the ones that are kept.
pub(crate) struct SteadyReader<R> {
    inner: R,
    room: Box<[u8]>,
    at: usize,
    end: usize,
}

/// It is small, since the bytes that a decoder unpacked in the call that reaches the damage are lost.
const STEADY: usize = 32 << 10;

impl<R> SteadyReader<R> {
    pub fn new(inner: R) -> Self {
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
