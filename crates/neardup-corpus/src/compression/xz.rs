use std::io::{self, Read, Write};

use liblzma::bufread::XzDecoder;
use liblzma::stream::{Error, Stream};
use liblzma::write::XzEncoder;

use crate::compression::codec::{Codec, Encoder, Member, too_large};
use crate::compression::peek::PeekReader;

/// xz (LZMA2).
pub(crate) struct Xz;

/// Level of new files. Higher levels need more memory, also for reading.
const LEVEL: u32 = 6;

impl Codec for Xz {
    fn name(&self) -> &'static str {
        "xz"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &["xz"]
    }

    fn magics(&self) -> &'static [&'static [u8]] {
        &[b"\xfd7zXZ\0"]
    }

    fn member<'c>(&self, input: PeekReader<'c>, window: u64) -> io::Result<Box<dyn Member<'c> + 'c>> {
        let stream = Stream::new_stream_decoder(window, 0)?;
        Ok(Box::new(XzStream { decoder: XzDecoder::new_stream(input, stream), window }))
    }

    fn encoder<'o>(&self, output: Box<dyn Write + 'o>) -> io::Result<Box<dyn Encoder + 'o>> {
        Ok(Box::new(XzEncoder::new(output, LEVEL)))
    }
}

struct XzStream<'c> {
    decoder: XzDecoder<PeekReader<'c>>,
    window: u64,
}

impl Read for XzStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| {
            let is_memory = error.get_ref().and_then(|inner| inner.downcast_ref()).is_some_and(|inner| matches!(inner, Error::MemLimit));
            // The library does not give the size that the stream needs. No stream of its tool needs more than 1.5 GiB.
            if is_memory { too_large((self.window * 2).max(64 << 20), self.window) } else { error }
        })
    }
}

impl<'c> Member<'c> for XzStream<'c> {
    fn into_input(self: Box<Self>) -> PeekReader<'c> {
        self.decoder.into_inner()
    }
}

impl<W: Write> Encoder for XzEncoder<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        XzEncoder::finish(*self)?.flush()
    }
}
