use std::io::{self, Read, Write};

use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use crate::compression::codec::{Codec, Encoder, Member};
use crate::compression::peek::PeekReader;

/// gzip (RFC 1952).
pub(crate) struct Gzip;

impl Codec for Gzip {
    fn name(&self) -> &'static str {
        "gzip"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &["gz", "gzip", "bgz"]
    }

    fn magics(&self) -> &'static [&'static [u8]] {
        &[b"\x1f\x8b"]
    }

    fn has_members_as_records(&self) -> bool {
        true
    }

    fn member<'c>(&self, input: PeekReader<'c>, _: u64) -> io::Result<Box<dyn Member<'c> + 'c>> {
        Ok(Box::new(GzipMember(GzDecoder::new(input))))
    }

    fn encoder<'o>(&self, output: Box<dyn Write + 'o>) -> io::Result<Box<dyn Encoder + 'o>> {
        Ok(Box::new(GzEncoder::new(output, flate2::Compression::default())))
    }
}

struct GzipMember<'c>(GzDecoder<PeekReader<'c>>);

impl Read for GzipMember<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<'c> Member<'c> for GzipMember<'c> {
    fn into_input(self: Box<Self>) -> PeekReader<'c> {
        self.0.into_inner()
    }
}

impl<W: Write> Encoder for GzEncoder<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        GzEncoder::finish(*self)?.flush()
    }
}
