//! The end of a JSON string is compared with a parser that reads byte by byte, on every SIMD level.

use neardup_text::simd::Level;
use neardup_text::{JsonString, string_end_on};
use proptest::prelude::*;

/// Finds the end of the string byte by byte.
fn slow(bytes: &[u8], start: usize) -> Option<JsonString> {
    let unit = |at: usize| -> Option<u32> {
        let six = bytes.get(at..at + 6)?;
        let digits = std::str::from_utf8(six.strip_prefix(b"\\u")?).ok()?;
        if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) { u32::from_str_radix(digits, 16).ok() } else { None }
    };
    let (mut at, mut escaped) = (start, false);
    loop {
        at += match bytes.get(at)? {
            b'"' => return Some(JsonString { end: at, escaped }),
            0..0x20 => return None,
            b'\\' => {
                escaped = true;
                match bytes.get(at + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
                    b'u' => match unit(at)? {
                        0xD800..=0xDBFF => match unit(at + 6)? {
                            0xDC00..=0xDFFF => 12,
                            _ => return None,
                        },
                        0xDC00..=0xDFFF => return None,
                        _ => 6,
                    },
                    _ => return None,
                }
            }
            _ => 1,
        };
    }
}

fn check(bytes: &[u8], start: usize) {
    let expected = slow(bytes, start);
    for level in Level::available() {
        let text = String::from_utf8_lossy(bytes);
        assert_eq!(string_end_on(level, bytes, start), expected, "{} {start} {text:?}", level.name());
    }
}

#[test]
fn every_piece_at_every_place_in_a_block() {
    let pieces = [
        "\"",
        "\\\"",
        "\\\\",
        "\\\\\"",
        "\\n",
        "\\/",
        "\\x",
        "\\",
        "\n",
        "\0",
        "\u{1f}",
        "\u{7f}",
        "é",
        "한",
        "\\u0041",
        "\\uD55C",
        "\\u004",
        "\\u00g1",
        "\\u004\"",
        "\\ud83d\\ude00",
        "\\uD83D\\uDE00",
        "\\ud83d",
        "\\ude00",
        "\\ud83d\\ud83d\\ude00",
        "\\ud83d\\n",
        "\\ud83d\\u0041",
        "\\ud83d\\ude0",
        "\\uude00",
        "\\U0041",
        "\\ud83dx\\ude00",
        "\\ud83d\\ude00\\ude00",
    ];
    for piece in pieces {
        for shift in 0..140 {
            for end in ["\" and more than a block of bytes behind the end of the string, \"really\": 1", "\"", ""] {
                for filler in ["-", "\\\\", "\\u00e9"] {
                    let front: String = filler.chars().cycle().take(shift / filler.len() * filler.len()).collect();
                    check(format!("{front}{piece}{end}").as_bytes(), 0);
                }
            }
        }
    }
}

#[test]
fn a_string_may_start_at_any_byte() {
    let line = br#"{"id": "a\u00e9\"b", "text": "\\", "n": ""}"#;
    for start in 0..=line.len() + 1 {
        check(line, start);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3072, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_mixture_of_pieces_is_parsed(pieces in prop::collection::vec(prop::sample::select(vec![
        "\"", "\\", "\\\\", "\\\"", "\\n", "\\u", "\\u00e9", "\\ud83d", "\\ude00", "a", "word ", "한", "u", "d", "0000", "\n",
        "a longer piece of plain text that fills most of a block", "D8", "\\uD",
    ]), 0..40), start in 0..3_usize) {
        check(pieces.concat().as_bytes(), start);
    }

    #[test]
    fn valid_strings_are_parsed(pieces in prop::collection::vec(prop::sample::select(vec![
        "\\\\", "\\\"", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\uDBFF\\uDFFF", "a", "word ", "한", "u", "d", "\\/",
        "a longer piece of plain text that fills most of a block",
    ]), 0..60)) {
        let text = pieces.concat() + "\"";
        prop_assert_eq!(slow(text.as_bytes(), 0).map(|found| found.end), Some(text.len() - 1));
        check(text.as_bytes(), 0);
    }
}
