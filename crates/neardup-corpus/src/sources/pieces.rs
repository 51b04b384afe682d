use std::io::{self, Read};

use crate::control::JobControl;
use crate::encoding::TextDecoder;
use crate::error::Result;
use crate::sources::source::Source;
use crate::sources::stream::open_stored;

/// Number of bytes that are read at once.
const ROOM: usize = 256 << 10;
/// Maximum number of bytes of UTF-8 for a byte of another encoding.
const GROWTH: u64 = 3;

/// The decompressed bytes of a source, read by offsets in its text as UTF-8.
pub(crate) struct StoredPieces<'c> {
    input: Box<dyn Read + 'c>,
    decoder: TextDecoder,
    room: Vec<u8>,
    at: usize,
    end: usize,
    /// Whether the end was met, and the decoder was told of it. It takes nothing after that.
    has_ended: bool,
    text: Vec<u8>,
    /// Offset of the next piece in the text as UTF-8.
    pub offset: u64,
}

impl<'c> StoredPieces<'c> {
    pub fn open(source: &Source, control: &'c JobControl) -> Result<StoredPieces<'c>> {
        let (input, decoder) = (open_stored(source, control, None)?, source.encoding.decoder());
        Ok(StoredPieces { input, decoder, room: vec![0; ROOM], at: 0, end: 0, has_ended: false, text: Vec::new(), offset: 0 })
    }

    /// Returns the next bytes, which end at the offset `end` at the latest, or no bytes at the end of the source.
    ///
    /// A byte that completes no character belongs to the piece of the next character.
    pub fn next(&mut self, end: u64) -> io::Result<&[u8]> {
        if self.at == self.end {
            if self.has_ended {
                return Ok(&[]);
            }
            self.refill()?;
        }
        let left = (self.end - self.at) as u64;
        let most = match self.decoder {
            TextDecoder::Utf8 => left.min(end - self.offset),
            // Near the end, one byte at a time shows where a character is complete.
            _ => left.min(((end - self.offset) / GROWTH).max(1)),
        };
        let piece = self.at..self.at + most as usize;
        self.text.clear();
        if matches!(self.decoder, TextDecoder::Utf8) {
            self.offset += most;
        } else {
            self.decoder.decode(&self.room[piece.clone()], self.has_ended, &mut self.text);
            self.offset += self.text.len() as u64;
        }
        self.at = piece.end;
        Ok(&self.room[piece])
    }

    fn refill(&mut self) -> io::Result<()> {
        (self.at, self.end) = (0, 0);
        loop {
            match self.input.read(&mut self.room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(count) => {
                    self.end = count;
                    self.has_ended = count == 0;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }
}
