//! The escapes of JSON strings.

use crate::simd::{Kernel, Lanes, Level};

/// Returns the bytes of the inside of a JSON string with its escapes resolved.
pub(crate) fn resolve(json: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let length = resolve_into(Level::best(), json, 0, &mut out);
    out.truncate(length);
    out
}

/// Number of bytes that [`resolve_into`] may write after the end of its result.
const SLACK: usize = 64;

/// Resolves the escapes of `json` into `out`, starting at `from`. Returns the end of the result.
///
/// `out` grows if necessary and is never truncated. Its content after the result is unspecified. Invalid escapes become U+FFFD or
/// `?`; the creator of a text promises that there are none.
pub(crate) fn resolve_into(level: Level, json: &[u8], from: usize, out: &mut Vec<u8>) -> usize {
    let room = from + json.len() + SLACK;
    if out.len() < room {
        out.resize(room, 0);
    }
    from + level.run(Resolve { json, out: &mut out[from..] })
}

struct Resolve<'a> {
    json: &'a [u8],
    /// Longer than `json` by [`SLACK`]. No escape is shorter than the bytes that it represents.
    out: &'a mut [u8],
}

impl Kernel for Resolve<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self { json, out } = self;
        let (mut from, mut to) = (0, 0);
        while let Some(&byte) = json.get(from) {
            if byte == b'\\' {
                let (code, taken) = match json[from..].first_chunk::<6>().and_then(letter_code) {
                    Some(code) => (code, 6),
                    None => escape_at(json, from),
                };
                to += write(code, &mut out[to..]);
                from += taken;
            } else if let (Some(block), Some(copy)) = (json[from..].first_chunk(), out[to..].first_chunk_mut()) {
                let x = lanes.load(block);
                lanes.store(x, copy);
                let length = lanes.eq(x, b'\\').trailing_zeros() as usize;
                (from, to) = (from + length, to + length);
            } else {
                out[to] = byte;
                (from, to) = (from + 1, to + 1);
            }
        }
        to
    }
}

/// Returns the code of `\uXXXX`, unless it is a surrogate or has another form.
#[inline(always)]
fn letter_code(six: &[u8; 6]) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = six else {
        return None;
    };
    let code = hex(*digits)?;
    (code & 0xF800 != 0xD800).then_some(code)
}

/// Returns the value of four hex digits.
#[inline(always)]
pub(crate) fn hex(digits: [u8; 4]) -> Option<u32> {
    const LOW: u32 = 0x0F0F_0F0F;
    const HIGH: u32 = 0x8080_8080;
    const ONES: u32 = 0x0101_0101;
    let x = u32::from_be_bytes(digits);
    if x & HIGH != 0 {
        return None;
    }
    // Sets the high bit of every byte at or above a bound. Bytes below 0x80 cannot carry into each other.
    let from = |x: u32, bound: u8| x + u32::from(0x80 - bound) * ONES;
    let lowered = x | 0x2020_2020;
    let digit = from(x, b'0') & !from(x, b'9' + 1);
    let letter = from(lowered, b'a') & !from(lowered, b'f' + 1);
    if (digit | letter) & HIGH != HIGH {
        return None;
    }
    let y = (x & LOW) + 9 * ((x >> 6) & ONES);
    let y = (y | y >> 4) & 0x00FF_00FF;
    Some((y | y >> 8) & 0xFFFF)
}

/// Writes a code point in UTF-8. `out` has room for four bytes. Returns the number of bytes that the code point needs.
#[inline(always)]
fn write(code: u32, out: &mut [u8]) -> usize {
    let last = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
    let (bytes, length) = match code {
        0..0x80 => ([code as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xC0 | (code >> 6) as u8, last(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xE0 | (code >> 12) as u8, last(6), last(0), 0], 3),
        _ => ([0xF0 | (code >> 18) as u8, last(12), last(6), last(0)], 4),
    };
    if let Some(out) = out.first_chunk_mut() {
        *out = bytes;
    }
    length
}

/// Returns the code point of the escape at `at`, and the number of its bytes.
fn escape_at(json: &[u8], at: usize) -> (u32, usize) {
    let byte = match json.get(at + 1) {
        Some(b'n') => b'\n',
        Some(b't') => b'\t',
        Some(b'r') => b'\r',
        Some(b'b') => 0x08,
        Some(b'f') => 0x0C,
        Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
        Some(b'u') => return code_at(json, at),
        // One byte must not become the three bytes of U+FFFD: the result would outgrow its buffer.
        _ => return (u32::from(b'?'), 1),
    };
    (byte.into(), 2)
}

/// Returns the code point of the `\uXXXX` or surrogate pair at `at`, and the number of its bytes.
fn code_at(json: &[u8], at: usize) -> (u32, usize) {
    const UNKNOWN: u32 = char::REPLACEMENT_CHARACTER as u32;
    match unit_at(json, at) {
        None => (u32::from(b'?'), 2),
        Some(unit @ 0xD800..0xDC00) => match unit_at(json, at + 6) {
            Some(low @ 0xDC00..0xE000) => (0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), 12),
            _ => (UNKNOWN, 6),
        },
        Some(0xDC00..0xE000) => (UNKNOWN, 6),
        Some(code) => (code, 6),
    }
}

/// Returns the UTF-16 code unit of the `\uXXXX` at `at`, if there is one.
pub(crate) fn unit_at(json: &[u8], at: usize) -> Option<u32> {
    match json.get(at..)?.first_chunk::<6>()? {
        [b'\\', b'u', digits @ ..] => hex(*digits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_digits() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                for digits in [[a, b, b'0', b'f'], [b'9', b'A', a, b]] {
                    let plain = digits.iter().try_fold(0, |n, &d| Some(n << 4 | char::from(d).to_digit(16)?));
                    assert_eq!(hex(digits), plain, "{digits:?}");
                }
            }
        }
    }

    #[test]
    fn escapes() {
        let json = br#"a\n\t\r\b\f\"\\\/ \u00e9\uD55c \ud83d\ude00z"#;
        assert_eq!(resolve(json), "a\n\t\r\u{8}\u{c}\"\\/ \u{e9}한 😀z".as_bytes());
    }

    #[test]
    fn broken_escapes_do_no_harm() {
        for json in [r"\", r"\x", r"\u", r"\u12", r"\uzzzz", r"\ud800", r"\udc00\ud800", r"\ud800\u0041"] {
            for repeat in [1, 40] {
                let resolved = resolve(json.repeat(repeat).as_bytes());
                assert!(std::str::from_utf8(&resolved).is_ok(), "{json}");
            }
        }
    }
}
