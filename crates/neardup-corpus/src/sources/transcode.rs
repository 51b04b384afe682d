use std::io::{self, Read};

use crate::encoding::TextDecoder;

/// Number of bytes that are converted at once.
const PIECE: usize = 64 << 10;

/// The text of a stream as UTF-8.
pub(crate) struct Transcoder<R> {
    inner: R,
    decoder: TextDecoder,
    piece: Vec<u8>,
    text: Vec<u8>,
    at: usize,
    has_ended: bool,
}

impl<R: Read> Transcoder<R> {
    pub fn new(inner: R, decoder: TextDecoder) -> Transcoder<R> {
        Transcoder { inner, decoder, piece: vec![0; PIECE], text: Vec::new(), at: 0, has_ended: false }
    }
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() && !self.has_ended {
            let count = self.inner.read(&mut self.piece)?;
            self.has_ended = count == 0;
            self.at = 0;
            self.text.clear();
            self.decoder.decode(&self.piece[..count], self.has_ended, &mut self.text);
        }
        let count = buffer.len().min(self.text.len() - self.at);
        buffer[..count].copy_from_slice(&self.text[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
