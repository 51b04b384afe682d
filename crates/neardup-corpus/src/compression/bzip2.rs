use std::io::{self, Read, Write};

use bzip2::bufread::BzDecoder;
use bzip2::write::BzEncoder;

use crate::compression::codec::{Codec, Encoder, Member};
use crate::compression::peek::PeekReader;

/// bzip2.
pub(crate) struct Bzip2;

impl Codec for Bzip2 {
    fn name(&self) -> &'static str {
        "bzip2"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &["bz2"]
    }

    fn magics(&self) -> &'static [&'static [u8]] {
        &[b"BZh"]
    }

    /// A text may begin with the three letters, so the level and the first bytes of a block or of the end decide.
    fn begins_file(&self, head: &[u8]) -> bool {
        matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', b'1', b'A', ..] | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, b'r', ..])
    }

    fn member<'c>(&self, input: PeekReader<'c>, _: u64) -> io::Result<Box<dyn Member<'c> + 'c>> {
        Ok(Box::new(Bzip2Stream(BzDecoder::new(input))))
    }

    fn encoder<'o>(&self, output: Box<dyn Write + 'o>) -> io::Result<Box<dyn Encoder + 'o>> {
        Ok(Box::new(BzEncoder::new(output, bzip2::Compression::default())))
    }
}

struct Bzip2Stream<'c>(BzDecoder<PeekReader<'c>>);

impl Read for Bzip2Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<'c> Member<'c> for Bzip2Stream<'c> {
    fn into_input(self: Box<Self>) -> PeekReader<'c> {
        self.0.into_inner()
    }
}

impl<W: Write> Encoder for BzEncoder<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        BzEncoder::finish(*self)?.flush()
    }
}
