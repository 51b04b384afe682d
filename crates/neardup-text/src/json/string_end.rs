//! The end of a JSON string.

use crate::json::escape::unit_at;
use crate::scan::words::escapes;
use crate::simd::{Kernel, Lanes, Level, bytes_at};

/// Extent of a JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonString {
    /// Index of the closing quote.
    pub end: usize,
    /// Whether there is at least one escape inside.
    pub escaped: bool,
}

/// Finds the end of the JSON string whose opening quote is just before `start`.
///
/// `None` means doubt: no closing quote, a control character below U+0020, an unknown escape, or a `\u` without four hex digits or
/// with a lone surrogate. A strict parser then finds the reason. UTF-8 is not validated.
#[must_use]
pub fn string_end(bytes: &[u8], start: usize) -> Option<JsonString> {
    string_end_on(Level::best(), bytes, start)
}

/// Like [`string_end`], on a given instruction set, for tests and measurements.
#[doc(hidden)]
#[must_use]
pub fn string_end_on(level: Level, bytes: &[u8], start: usize) -> Option<JsonString> {
    level.run(StringEnd { bytes, start })
}

struct StringEnd<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl Kernel for StringEnd<'_> {
    type Output = Option<JsonString>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<JsonString> {
        let Self { bytes, start } = self;
        let (mut at, mut escaped, mut carry) = (start, false, 0);
        // Position at which the last high surrogate requires its low surrogate.
        let mut paired = usize::MAX;
        while at < bytes.len() {
            let mut padded = [0; 64];
            // The zeros after the end are control characters: a string without a closing quote ends in doubt.
            let x = lanes.load(bytes_at(bytes, at, &mut padded));
            let mut quotes = lanes.eq(x, b'"');
            let slashes = lanes.eq(x, b'\\');
            let controls = lanes.between(x, 0, 0x1F);
            let mut second = 0;
            if slashes | carry != 0 {
                (_, second, carry) = escapes(slashes, carry);
                quotes &= !second;
            }
            // All bits before the closing quote.
            let inside = if quotes == 0 { u64::MAX } else { (quotes & quotes.wrapping_neg()) - 1 };
            escaped |= slashes & inside != 0;
            if controls & inside != 0 {
                return None;
            }
            if second & inside != 0 {
                let codes = lanes.eq(x, b'u') & second & inside;
                let known = b"\"\\/bfnrt".iter().fold(codes, |known, &byte| known | lanes.eq(x, byte));
                if second & inside & !known != 0 || !valid_codes(lanes, x, bytes, at, codes, &mut paired) {
                    return None;
                }
            }
            if quotes != 0 {
                return Some(JsonString { end: at + quotes.trailing_zeros() as usize, escaped });
            }
            at += 64;
        }
        None
    }
}

/// Whether four hex digits follow every `u` of `codes` in the block at `at`, and surrogates come in pairs.
#[inline(always)]
fn valid_codes<L: Lanes>(lanes: L, x: L::Block, bytes: &[u8], at: usize, codes: u64, paired: &mut usize) -> bool {
    if codes == 0 {
        return true;
    }
    let hex = lanes.between(x, b'0', b'9') | lanes.between(x, b'a', b'f') | lanes.between(x, b'A', b'F');
    let due = codes << 1 | codes << 2 | codes << 3 | codes << 4;
    if due & !hex != 0 {
        return false;
    }
    // Codes that cross the end of the block or may be surrogates (\uD8.. to \uDF..) are checked one by one.
    let d = lanes.eq(x, b'd') | lanes.eq(x, b'D');
    let mut doubtful = codes & (d >> 1 | !(u64::MAX >> 4));
    while doubtful != 0 {
        let place = at + doubtful.trailing_zeros() as usize - 1;
        doubtful &= doubtful - 1;
        match unit_at(bytes, place) {
            None => return false,
            Some(0xD800..0xDC00) => {
                if !matches!(unit_at(bytes, place + 6), Some(0xDC00..0xE000)) {
                    return false;
                }
                *paired = place + 6;
            }
            Some(0xDC00..0xE000) if *paired != place => return false,
            Some(_) => {}
        }
    }
    true
}
