use std::io::{self, Read};

use crate::compression::peek::PeekReader;

/// The bytes of one LZ4 frame, and whether the frame is whole.
///
/// The decoder of the library takes the end of a file for the end of a frame, so the parts of the frame are followed here.
pub(super) struct FrameInput<'c> {
    input: PeekReader<'c>,
    next: Part,
    /// Bytes of the present part that were not passed on yet.
    left: u64,
    /// Bytes of the checksum after each block.
    block_checksum: u64,
    /// Bytes of the checksum after the end mark.
    content_checksum: u64,
}

/// The part of a frame that comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Head,
    Block,
    /// A block of the first version of the format, which has no end mark.
    LegacyBlock,
    End,
}

const LEGACY_MAGIC: &[u8] = b"\x02\x21\x4c\x18";
/// Maximum number of bytes of a block of the first version: eight MiB that cannot be compressed. A greater number begins a frame.
const MOST_LEGACY: u64 = (8 << 20) + (8 << 20) / 255 + 16;
/// Bytes of the magic number, of the length of a block, and of a checksum.
const WORD: u64 = 4;
/// The bit of a block length that says that the block is not compressed.
const UNCOMPRESSED: u32 = 1 << 31;

impl<'c> FrameInput<'c> {
    pub fn new(input: PeekReader<'c>) -> FrameInput<'c> {
        FrameInput { input, next: Part::Head, left: 0, block_checksum: 0, content_checksum: 0 }
    }

    /// Whether all bytes of the frame were passed on.
    pub fn is_whole(&self) -> bool {
        self.next == Part::End && self.left == 0
    }

    /// Whether the file has no more bytes.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.input.peek(1)?.is_empty())
    }

    /// Returns the input after the frame.
    pub fn into_input(self) -> PeekReader<'c> {
        self.input
    }

    /// Finds the length of the next part. Of a part whose length is cut off, only the bytes that are there belong to the frame, which
    /// never becomes whole.
    fn begin(&mut self) -> io::Result<()> {
        let head = self.input.peek(5)?;
        let cut = head.len() as u64;
        let word = head.first_chunk().map(|word| u32::from_le_bytes(*word));
        (self.left, self.next) = match (self.next, word) {
            (Part::End, _) => (0, Part::End),
            (Part::Head, _) if head.starts_with(LEGACY_MAGIC) => (WORD, Part::LegacyBlock),
            (Part::Head, _) => match head.get(4) {
                Some(flags) => {
                    let bytes = |bit: u8, bytes: u64| if flags & bit == 0 { 0 } else { bytes };
                    (self.block_checksum, self.content_checksum) = (bytes(0x10, WORD), bytes(0x04, WORD));
                    // The flags, the block size and the checksum of the head; a length of the content; the number of a dictionary.
                    (WORD + 3 + bytes(0x08, 8) + bytes(0x01, WORD), Part::Block)
                }
                None => (cut, Part::Head),
            },
            (Part::Block, Some(0)) => (WORD + self.content_checksum, Part::End),
            (Part::Block, Some(len)) => (WORD + u64::from(len & !UNCOMPRESSED) + self.block_checksum, Part::Block),
            // The file ends, with or without padding.
            (Part::LegacyBlock, None) if head.iter().all(|byte| *byte == 0) => (0, Part::End),
            (Part::LegacyBlock, Some(len)) if len == 0 || u64::from(len) > MOST_LEGACY => (0, Part::End),
            (Part::LegacyBlock, Some(len)) => (WORD + u64::from(len), Part::LegacyBlock),
            (Part::Block | Part::LegacyBlock, None) => (cut, Part::Block),
        };
        Ok(())
    }
}

impl Read for FrameInput<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            self.begin()?;
        }
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let count = self.input.read(&mut buffer[..most])?;
        self.left -= count as u64;
        Ok(count)
    }
}
