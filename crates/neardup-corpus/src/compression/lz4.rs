use std::io::{self, Read, Write};

use lz4_flex::frame::{FrameDecoder, FrameEncoder};

use crate::compression::codec::{Codec, Encoder, Member};
use crate::compression::lz4_frame::FrameInput;
use crate::compression::peek::PeekReader;

/// LZ4 frames, also those of its first version.
pub(crate) struct Lz4;

impl Codec for Lz4 {
    fn name(&self) -> &'static str {
        "lz4"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &["lz4"]
    }

    fn magics(&self) -> &'static [&'static [u8]] {
        &[b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18"]
    }

    fn has_skippable_frames(&self) -> bool {
        true
    }

    fn member<'c>(&self, input: PeekReader<'c>, _: u64) -> io::Result<Box<dyn Member<'c> + 'c>> {
        Ok(Box::new(Lz4Frame(FrameDecoder::new(FrameInput::new(input)))))
    }

    fn encoder<'o>(&self, output: Box<dyn Write + 'o>) -> io::Result<Box<dyn Encoder + 'o>> {
        Ok(Box::new(FrameEncoder::new(output)))
    }
}

struct Lz4Frame<'c>(FrameDecoder<FrameInput<'c>>);

impl Read for Lz4Frame<'_> {
    /// The library returns nothing at the end of the frame, for a block without content, and where the file ends before the frame.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.0.read(buffer)?;
            if count > 0 || buffer.is_empty() || self.0.get_ref().is_whole() {
                return Ok(count);
            }
            if self.0.get_mut().has_ended()? {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends before the end mark of a frame"));
            }
        }
    }
}

impl<'c> Member<'c> for Lz4Frame<'c> {
    fn into_input(self: Box<Self>) -> PeekReader<'c> {
        self.0.into_inner().into_input()
    }
}

impl<W: Write> Encoder for FrameEncoder<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        FrameEncoder::finish(*self).map_err(io::Error::other)?.flush()
    }
}
