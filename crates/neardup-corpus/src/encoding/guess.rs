//! Guessing the encoding of bytes that nothing declares.

use std::collections::HashSet;

use encoding_rs::{DecoderResult, Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};

use crate::encoding::text_encoding::TextEncoding;

/// Begins the sequences that change the character set of ISO-2022.
const ESCAPE: u8 = 0x1b;
/// Number of bytes for each control byte, from which on bytes are no text of an encoding of single bytes.
const FOR_EACH_CONTROL: usize = 50;
/// Number of characters for each that no text has, from which on units are characters.
const FOR_EACH_ODD: usize = 100;

impl TextEncoding {
    /// Guesses the encoding of a text without a byte order mark from its bytes. Returns whether the guess is sure.
    pub fn detect(bytes: &[u8]) -> (TextEncoding, bool) {
        if let Some(found) = guess_wide(bytes) {
            return found;
        }
        // A text has no control bytes: these are bytes of something else.
        let is_text = !has_controls(bytes);
        if bytes.is_ascii() {
            let (encoding, is_sure) = guess_ascii(bytes);
            return (encoding, is_sure && is_text);
        }
        if simdutf8::basic::from_utf8(bytes).is_ok() {
            return (TextEncoding::Utf8, is_text);
        }
        let (encoding, is_sure) = guess_legacy(bytes);
        (TextEncoding::standard(encoding), is_sure && is_text && is_defined(encoding, bytes))
    }
}

/// Whether a piece at the beginning of a text is ASCII that is the same in every encoding of single bytes.
pub(crate) fn is_plain_ascii(piece: &[u8]) -> bool {
    piece.is_ascii() && !piece.iter().any(|byte| *byte == ESCAPE || is_control(*byte))
}

/// Guesses among the encodings of two and four bytes for each character. They have many bytes that are control characters elsewhere.
pub(crate) fn guess_wide(bytes: &[u8]) -> Option<(TextEncoding, bool)> {
    if bytes.len() < 4 || !has_controls(bytes) {
        return None;
    }
    let fours = |is_big_endian: bool| {
        let unit = |bytes: [u8; 4]| if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        are_characters(bytes.as_chunks().0.iter().map(|bytes| char::from_u32(unit(*bytes))))
    };
    if let Some(is_big_endian) = [false, true].into_iter().find(|is_big_endian| fours(*is_big_endian)) {
        return Some((TextEncoding::Utf32 { is_big_endian }, true));
    }
    let twos = [(UTF_16LE, false), (UTF_16BE, true)].map(|(encoding, is_big_endian)| {
        let unit = |bytes: &[u8; 2]| if is_big_endian { u16::from_be_bytes(*bytes) } else { u16::from_le_bytes(*bytes) };
        let units = || bytes.as_chunks().0.iter().map(unit);
        let is_possible = are_characters(char::decode_utf16(units()).map(Result::ok));
        // The characters of a text lie in few blocks, so its high bytes differ less than its low bytes.
        let blocks: HashSet<u16> = units().map(|unit| unit >> 8).collect();
        let other = units().filter(|unit| !matches!(unit, 0x09 | 0x0a | 0x0d | 0x20..=0x7e)).count();
        (is_possible, (blocks.len(), other), encoding)
    });
    let [little, big] = twos;
    let chosen = if big.0 && (!little.0 || big.1 < little.1) { big } else { little };
    // Few characters of as many blocks may be any bytes.
    let is_sure = chosen.1.0 < bytes.len() / 2 && !(little.0 && big.0 && little.1 == big.1);
    chosen.0.then(|| (TextEncoding::standard(chosen.2), is_sure))
}

/// Guesses the encoding of ASCII, in which escapes may change the character set.
pub(crate) fn guess_ascii(bytes: &[u8]) -> (TextEncoding, bool) {
    if !bytes.windows(2).any(|pair| pair[0] == ESCAPE && matches!(pair[1], b'$' | b'(')) {
        return (TextEncoding::Utf8, true);
    }
    if decodes(ISO_2022_JP, bytes) { (TextEncoding::Standard(ISO_2022_JP), true) } else { (TextEncoding::Utf8, false) }
}

/// Guesses among the encodings that are neither UTF-8 nor wider. Returns whether the guess is sure.
pub(crate) fn guess_legacy(bytes: &[u8]) -> (&'static Encoding, bool) {
    let mut detector = chardetng::EncodingDetector::new();
    detector.feed(bytes, true);
    detector.guess_assess(None, false)
}

/// Whether an encoding of single bytes defines all bytes. Those that it does not define become control characters.
fn is_defined(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let is_control = |character| matches!(character, '\u{80}'..='\u{9f}');
    !encoding.is_single_byte() || !encoding.decode_without_bom_handling(bytes).0.chars().any(is_control)
}

/// Whether bytes, of which the end may be cut off, are all defined in an encoding.
fn decodes(encoding: &'static Encoding, mut bytes: &[u8]) -> bool {
    let (mut decoder, mut room) = (encoding.new_decoder_without_bom_handling(), [0; 4096]);
    loop {
        let (result, read, _) = decoder.decode_to_utf8_without_replacement(bytes, &mut room, false);
        bytes = &bytes[read..];
        match result {
            DecoderResult::InputEmpty => return true,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => return false,
        }
    }
}

/// Whether characters are those of a text, with few exceptions. `None` is no character.
fn are_characters(characters: impl Iterator<Item = Option<char>>) -> bool {
    let (mut all, mut odd) = (0, 0);
    for character in characters {
        all += 1;
        odd += usize::from(!character.is_some_and(is_of_text));
    }
    odd * FOR_EACH_ODD < all
}

fn is_of_text(character: char) -> bool {
    let is_noncharacter = matches!(u32::from(character), 0xfdd0..=0xfdef) || u32::from(character) & 0xfffe == 0xfffe;
    !is_noncharacter && !matches!(character, '\0'..='\u{8}' | '\u{e}'..='\u{1a}' | '\u{1c}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

fn has_controls(bytes: &[u8]) -> bool {
    bytes.iter().filter(|byte| is_control(**byte)).count() * FOR_EACH_CONTROL >= bytes.len().max(1)
}

fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(bytes: &[u8]) -> (TextEncoding, bool) {
        TextEncoding::detect(bytes)
    }

    /// Texts of several scripts, each with its own share of ASCII.
    const TEXTS: [&str; 12] = [
        "The ferry leaves at seven and returns at noon.\n",
        "id,text\r\n1,Größe café\r\n2,naïve œuvre\r\n",
        "{\"text\": \"съешь ещё этих мягких французских булок\"}\n",
        "Паром выходит в семь часов и возвращается в полдень",
        "η θάλασσα είναι ήρεμη σήμερα το πρωί",
        "تخرج العبارة من الميناء في الساعة السابعة",
        "הספינה יוצאת בשבע וחוזרת בצהריים",
        "다람쥐 헌 쳇바퀴에 타고파. 배가 항구를 떠난다",
        "渡船七点离开码头，中午返回。灯塔看守人数着船只。",
        "船は七時に港を出て、正午に戻ってくる。灯台守は船を数える。",
        "เรือออกจากท่าตอนเจ็ดโมง แล้วกลับมาตอนเที่ยง",
        "𝄞 a 𝄞 b",
    ];

    #[test]
    fn wide_encodings_are_found_without_a_mark() {
        for text in TEXTS {
            for name in ["utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
                let encoding = TextEncoding::named(name).unwrap();
                let bytes = encoding.encode(text).unwrap();
                assert_eq!(guess(&bytes), (encoding, true), "{name} {text}");
                // The last character is cut.
                assert_eq!(guess(&bytes[..bytes.len() - 1]).0, encoding, "{name} {text}");
            }
            assert_eq!(guess(text.as_bytes()), (TextEncoding::Utf8, true), "{text}");
        }
    }

    #[test]
    fn escapes_of_iso_2022_jp() {
        let japanese = TextEncoding::Standard(ISO_2022_JP);
        for text in ["これは日本語の文章です。", "a これ b", "{\"text\": \"日本\"}\n"] {
            let bytes = japanese.encode(text).unwrap();
            assert_eq!(guess(&bytes), (japanese, true), "{text}");
            assert_eq!(guess(&bytes[..bytes.len() - 2]), (japanese, true), "{text}");
        }
        // Colours of a terminal, and the Korean and Chinese sister.
        assert_eq!(guess(b"\x1b[31mred\x1b[0m"), (TextEncoding::Utf8, true));
        for other in [&b"\x1b$)C\x0e0!\x0f"[..], b"\x1b$)A\x0e<;\x0f"] {
            assert!(!guess(other).1, "{other:?}");
        }
    }

    #[test]
    fn other_bytes_are_no_sure_guess() {
        // Bytes of Mac Roman that windows-1252 does not define.
        let (_, is_sure) = guess(b"fa\x8dade, re\x8du, gar\x8don; \x8fa, \x9d and \x8e");
        assert!(!is_sure);
        assert!(!guess(b"\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b").1);
        // One NUL among much text is no wide encoding.
        let text = [b"text and more text, ".repeat(9).as_slice(), b"\0"].concat();
        assert_eq!(guess(&text), (TextEncoding::Utf8, true));
        assert_eq!((guess(b""), guess(b"abc")), ((TextEncoding::Utf8, true), (TextEncoding::Utf8, true)));
    }
}
