use std::fmt;

use encoding_rs::{DecoderResult, EUC_KR, Encoding, MACINTOSH, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

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

/// A byte that is never part of UTF-8. It replaces bytes that an encoding does not define, so that the record is refused.
pub(crate) const INVALID: u8 = 0xff;

/// Bytes of the longest byte order mark.
pub(crate) const LONGEST_MARK: usize = 4;

/// Labels of other programs, with what they mean. Labels of the standard are not listed.
const OTHER_LABELS: [(&str, &Encoding); 9] = [
    ("cp949", EUC_KR),
    ("uhc", EUC_KR),
    ("cp932", SHIFT_JIS),
    ("mac-roman", MACINTOSH),
    ("macroman", MACINTOSH),
    ("cp936", encoding_rs::GBK),
    ("cp950", encoding_rs::BIG5),
    ("latin-1", encoding_rs::WINDOWS_1252),
    ("latin-9", encoding_rs::ISO_8859_15),
];

/// Names for messages.
const NAMES: &str = "utf-8, utf-16le, utf-16be, utf-32le, utf-32be, windows-1250 to windows-1258, windows-874, iso-8859-2 to \
                     iso-8859-16, koi8-r, koi8-u, ibm866, macintosh, x-mac-cyrillic, shift_jis, euc-jp, iso-2022-jp, euc-kr, gbk, \
                     gb18030, big5";

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

    /// Returns the encoding with this name, in any spelling that the WHATWG Encoding Standard or Python knows.
    ///
    /// # Errors
    /// The message lists the names.
    pub fn named(name: &str) -> Result<TextEncoding, String> {
        let label = name.trim().to_ascii_lowercase().replace('_', "-");
        let label = label.replace("-le", "le").replace("-be", "be");
        match label.as_str() {
            "utf-32" | "utf-32le" | "utf32" => return Ok(TextEncoding::Utf32 { is_big_endian: false }),
            "utf-32be" => return Ok(TextEncoding::Utf32 { is_big_endian: true }),
            "utf-8-sig" => return Ok(TextEncoding::Utf8),
            _ => {}
        }
        let other = || OTHER_LABELS.iter().find(|(known, _)| *known == label).map(|(_, encoding)| *encoding);
        let found = Encoding::for_label(label.as_bytes())
            .or_else(|| Encoding::for_label(label.replace('-', "_").as_bytes()))
            .or_else(|| Encoding::for_label(label.replace('-', "").as_bytes()))
            .or_else(other);
        match found.filter(|encoding| *encoding != encoding_rs::REPLACEMENT && *encoding != encoding_rs::X_USER_DEFINED) {
            Some(encoding) => Ok(TextEncoding::standard(encoding)),
            None => Err(format!("the encoding {name:?} is unknown; known are {NAMES}, other names of these, and detect")),
        }
    }

    /// Guesses the encoding of a text without a byte order mark from its bytes. Returns whether the guess is sure.
    pub fn detect(bytes: &[u8]) -> (TextEncoding, bool) {
        if simdutf8::basic::from_utf8(bytes).is_ok() {
            return (TextEncoding::Utf8, true);
        }
        let (encoding, is_sure) = guess(bytes);
        (TextEncoding::standard(encoding), is_sure)
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

    fn standard(encoding: &'static Encoding) -> TextEncoding {
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

/// Guesses the encoding of bytes that are not UTF-8. Returns whether the guess is sure.
pub(crate) fn guess(bytes: &[u8]) -> (&'static Encoding, bool) {
    let mut detector = chardetng::EncodingDetector::new();
    detector.feed(bytes, true);
    detector.guess_assess(None, false)
}

impl fmt::Debug for TextEncoding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.name())
    }
}

/// Converts the bytes of a text to UTF-8, piece by piece.
pub(crate) enum TextDecoder {
    Utf8,
    Standard(encoding_rs::Decoder),
    Utf32 {
        is_big_endian: bool,
        /// Bytes of a character that is not complete.
        unit: Vec<u8>,
    },
}

impl TextDecoder {
    /// Appends the UTF-8 of a piece to `out`. [`INVALID`] replaces bytes that the encoding does not define. `is_last` says that the
    /// text ends with the piece.
    pub fn decode(&mut self, piece: &[u8], is_last: bool, out: &mut Vec<u8>) {
        match self {
            TextDecoder::Utf8 => out.extend_from_slice(piece),
            TextDecoder::Standard(decoder) => decode_standard(decoder, piece, is_last, out),
            TextDecoder::Utf32 { is_big_endian, unit } => {
                for byte in piece {
                    unit.push(*byte);
                    let Ok(bytes) = <[u8; 4]>::try_from(unit.as_slice()) else { continue };
                    unit.clear();
                    let value = if *is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
                    match char::from_u32(value) {
                        Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                        None => out.push(INVALID),
                    }
                }
                if is_last && !unit.is_empty() {
                    unit.clear();
                    out.push(INVALID);
                }
            }
        }
    }
}

fn decode_standard(decoder: &mut encoding_rs::Decoder, mut piece: &[u8], is_last: bool, out: &mut Vec<u8>) {
    let mut room = [0; 4096];
    loop {
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(piece, &mut room, is_last);
        piece = &piece[read..];
        out.extend_from_slice(&room[..written]);
        match result {
            DecoderResult::InputEmpty => return,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => out.push(INVALID),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn names() {
        for (name, want) in [
            ("latin1", "windows-1252"),
            ("Latin-1", "windows-1252"),
            ("ISO-8859-15", "ISO-8859-15"),
            ("cp1251", "windows-1251"),
            ("CP949", "EUC-KR"),
            ("mac_roman", "macintosh"),
            ("Shift_JIS", "Shift_JIS"),
            ("sjis", "Shift_JIS"),
            ("euc_jp", "EUC-JP"),
            ("utf_16_le", "UTF-16LE"),
            ("utf-16be", "UTF-16BE"),
            ("UTF-32", "UTF-32LE"),
            ("koi8_r", "KOI8-R"),
            ("utf8", "UTF-8"),
            ("gb2312", "GBK"),
            ("big5", "Big5"),
            ("ascii", "windows-1252"),
        ] {
            assert_eq!(TextEncoding::named(name).map(TextEncoding::name), Ok(want.to_owned()), "{name}");
        }
        for name in ["", "ebcdic", "replacement", "cp037"] {
            assert!(TextEncoding::named(name).unwrap_err().contains("koi8-r"), "{name}");
        }
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
