use std::fmt;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::encoding::decoder::TextDecoder;

/// Encoding of the text of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextEncoding {
    /// UTF-8, which is checked, not converted.
    Utf8,
    /// An encoding of the WHATWG Encoding Standard.
    Standard(&'static Encoding),
    /// UTF-32, which that standard does not have.
    Utf32 {
        /// Whether the byte of highest order comes first.
        is_big_endian: bool,
    },
}

/// Bytes of the longest byte order mark.
pub(crate) const LONGEST_MARK: usize = 4;

impl TextEncoding {
    /// Returns the encoding that a byte order mark at the beginning of a file gives.
    pub fn of_mark(head: &[u8]) -> Option<TextEncoding> {
        // The mark of UTF-32 begins with that of UTF-16.
        match head {
            [0xff, 0xfe, 0, 0, ..] => Some(TextEncoding::Utf32 { is_big_endian: false }),
            [0, 0, 0xfe, 0xff, ..] => Some(TextEncoding::Utf32 { is_big_endian: true }),
            _ => Encoding::for_bom(head).map(|(encoding, _)| TextEncoding::standard(encoding)),
        }
    }

    /// Returns the bytes of its byte order mark. Encodings that have none have no mark of that length.
    pub(crate) fn mark_length(self) -> usize {
        match self {
            TextEncoding::Utf8 => 3,
            TextEncoding::Standard(_) => 2,
            TextEncoding::Utf32 { .. } => LONGEST_MARK,
        }
    }

    /// Returns the name in messages.
    pub fn name(self) -> String {
        match self {
            TextEncoding::Utf8 => "UTF-8".to_owned(),
            TextEncoding::Standard(encoding) => encoding.name().to_owned(),
            TextEncoding::Utf32 { is_big_endian } => if is_big_endian { "UTF-32BE" } else { "UTF-32LE" }.to_owned(),
        }
    }

    /// Returns the reason for rejecting bytes that are no text, at a byte of something, such as `the line`.
    pub(crate) fn refuse(self, at: usize, of: &str) -> String {
        let at = at + 1;
        match self {
            TextEncoding::Utf8 => format!("invalid UTF-8 at byte {at} of {of}; if it has another encoding, name it: --encoding NAME"),
            other => format!("invalid {} at byte {at} of {of}, counted in UTF-8", other.name()),
        }
    }

    pub(crate) fn standard(encoding: &'static Encoding) -> TextEncoding {
        if encoding == UTF_8 { TextEncoding::Utf8 } else { TextEncoding::Standard(encoding) }
    }

    /// Returns the bytes of a text in this encoding, or the first character that it cannot write.
    pub(crate) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let units = |is_big_endian: bool| {
            let bytes = |unit: u16| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
            text.encode_utf16().flat_map(bytes).collect()
        };
        match self {
            TextEncoding::Utf8 => Ok(text.as_bytes().to_vec()),
            TextEncoding::Utf32 { is_big_endian } => {
                let bytes = |unit: char| if is_big_endian { u32::from(unit).to_be_bytes() } else { u32::from(unit).to_le_bytes() };
                Ok(text.chars().flat_map(bytes).collect())
            }
            TextEncoding::Standard(encoding) if encoding == UTF_16LE => Ok(units(false)),
            TextEncoding::Standard(encoding) if encoding == UTF_16BE => Ok(units(true)),
            TextEncoding::Standard(encoding) => {
                let mut encoder = encoding.new_encoder();
                let (mut bytes, mut rest) = (Vec::new(), text);
                loop {
                    let room = encoder.max_buffer_length_from_utf8_without_replacement(rest.len()).unwrap_or(rest.len() * 4 + 16);
                    bytes.reserve(room);
                    let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
                    rest = &rest[read..];
                    match result {
                        encoding_rs::EncoderResult::InputEmpty => return Ok(bytes),
                        encoding_rs::EncoderResult::OutputFull => {}
                        encoding_rs::EncoderResult::Unmappable(character) => return Err(character),
                    }
                }
            }
        }
    }

    /// Returns the UTF-8 of a whole text. [`INVALID`] replaces bytes that the encoding does not define.
    pub(crate) fn to_utf8(self, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        self.decoder().decode(bytes, true, &mut text);
        text
    }

    /// Returns a decoder at the beginning of a text.
    pub(crate) fn decoder(self) -> TextDecoder {
        match self {
            TextEncoding::Utf8 => TextDecoder::Utf8,
            TextEncoding::Standard(encoding) => TextDecoder::Standard(encoding.new_decoder_without_bom_handling()),
            TextEncoding::Utf32 { is_big_endian } => TextDecoder::Utf32 { is_big_endian, unit: Vec::new() },
        }
    }
}

impl fmt::Debug for TextEncoding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::decoder::INVALID;

    #[test]
    fn marks() {
        let of = |head: &[u8]| TextEncoding::of_mark(head).map(TextEncoding::name);
        assert_eq!(of(b"\xff\xfea\0"), Some("UTF-16LE".to_owned()));
        assert_eq!(of(b"\xff\xfe\0\0"), Some("UTF-32LE".to_owned()));
        assert_eq!(of(b"\0\0\xfe\xff"), Some("UTF-32BE".to_owned()));
        assert_eq!(of(b"\xef\xbb\xbf"), Some("UTF-8".to_owned()));
        assert_eq!((of(b"\xff"), of(b"text"), of(b"")), (None, None, None));
    }

    #[test]
    fn a_text_in_any_pieces_is_the_same() {
        for (name, text) in [
            ("utf-16le", "né 가 𝄞 x"),
            ("utf-32be", "né 가 𝄞 x"),
            ("euc-kr", "가나 다"),
            ("iso-2022-jp", "日本 x 語"),
            ("koi8-r", "Привет"),
        ] {
            let encoding = TextEncoding::named(name).unwrap();
            let bytes = encoding.encode(text).unwrap();
            for step in 1..=bytes.len() {
                let (mut decoder, mut out) = (encoding.decoder(), Vec::new());
                bytes.chunks(step).for_each(|piece| decoder.decode(piece, false, &mut out));
                decoder.decode(b"", true, &mut out);
                assert_eq!(String::from_utf8(out).as_deref(), Ok(text), "{name} {step}");
            }
        }
        assert_eq!(TextEncoding::named("latin1").unwrap().encode("a가"), Err('가'));
    }

    #[test]
    fn undefined_bytes_are_no_utf_8() {
        for (name, bytes) in
            [("shift_jis", &b"a\x81"[..]), ("utf-16le", b"a\0\0\xd8"), ("utf-32le", b"a\0\0\0\xff\xff\xff\xff"), ("utf-32le", b"a\0\0\0b")]
        {
            let mut out = Vec::new();
            TextEncoding::named(name).unwrap().decoder().decode(bytes, true, &mut out);
            assert_eq!(out, [b'a', INVALID], "{name}");
        }
    }
}
