use std::io::{self, Read, Write};

use zstd::stream::{read::Decoder, write::Encoder as ZstdEncoder};

use crate::compression::codec::{Codec, Encoder, Member, too_large};
use crate::compression::peek::PeekReader;

/// Zstandard (RFC 8878).
pub(crate) struct Zstd;

/// Binary logarithm of the greatest window that a decoder of 64 bits accepts.
const MOST_WINDOW_LOG: u32 = 31;

impl Codec for Zstd {
    fn name(&self) -> &'static str {
        "zstd"
    }

    fn suffixes(&self) -> &'static [&'static str] {
        &["zst", "zstd"]
    }

    fn magics(&self) -> &'static [&'static [u8]] {
        &[b"\x28\xb5\x2f\xfd"]
    }

    fn has_members_as_records(&self) -> bool {
        true
    }

    fn has_skippable_frames(&self) -> bool {
        true
    }

    fn member<'c>(&self, mut input: PeekReader<'c>, window: u64) -> io::Result<Box<dyn Member<'c> + 'c>> {
        if let Some(needed) = window_of(input.peek(HEADER)?).filter(|needed| *needed > window) {
            return Err(too_large(needed, window));
        }
        let mut decoder = Decoder::with_buffer(input)?.single_frame();
        decoder.window_log_max(MOST_WINDOW_LOG)?;
        Ok(Box::new(ZstdFrame(decoder)))
    }

    fn encoder<'o>(&self, output: Box<dyn Write + 'o>) -> io::Result<Box<dyn Encoder + 'o>> {
        Ok(Box::new(ZstdEncoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?))
    }
}

/// Maximum number of bytes of a frame header with its magic number.
const HEADER: usize = 18;

/// Returns the bytes of memory that a frame refers to, by RFC 8878, 3.1.1.1.2, or `None` if its header is cut off. A frame without a
/// window has its whole content in memory.
fn window_of(header: &[u8]) -> Option<u64> {
    let descriptor = *header.get(4)?;
    let is_single_segment = descriptor & 0x20 != 0;
    if !is_single_segment {
        let (exponent, mantissa) = (header.get(5)? >> 3, header.get(5)? & 7);
        let base = 1u64 << (10 + exponent);
        return Some(base + base / 8 * u64::from(mantissa));
    }
    let at = 5 + [0, 1, 2, 4][usize::from(descriptor & 3)];
    let len = [1, 2, 4, 8][usize::from(descriptor >> 6)];
    let mut size = [0; 8];
    size[..len].copy_from_slice(header.get(at..at + len)?);
    // Two bytes count from 256.
    Some(u64::from_le_bytes(size) + if len == 2 { 256 } else { 0 })
}

struct ZstdFrame<'c>(Decoder<'static, PeekReader<'c>>);

impl Read for ZstdFrame<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<'c> Member<'c> for ZstdFrame<'c> {
    fn into_input(self: Box<Self>) -> PeekReader<'c> {
        self.0.finish()
    }
}

impl<W: Write> Encoder for ZstdEncoder<'_, W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        ZstdEncoder::finish(*self)?.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::window_of;

    #[test]
    fn the_window_of_a_frame() {
        assert_eq!(window_of(b"\x28\xb5\x2f\xfd\x00\x00"), Some(1024));
        assert_eq!(window_of(b"\x28\xb5\x2f\xfd\x00\xa9"), Some((1 << 31) + (1 << 28)));
        assert_eq!(window_of(b"\x28\xb5\x2f\xfd\x20\x07"), Some(7));
        assert_eq!(window_of(b"\x28\xb5\x2f\xfd\x61\xff\x01\x00"), Some(257));
        assert_eq!(window_of(b"\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x01\x00\x00\x00"), Some(1 << 32));
        for cut in [&b""[..], b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfd\x00", b"\x28\xb5\x2f\xfd\x61\xff\x01"] {
            assert_eq!(window_of(cut), None, "{cut:?}");
        }
    }
}
