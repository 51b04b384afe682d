//! Whether normalisation changes or moves a mark, which depends on the character before it.

use icu_normalizer::properties::Decomposed;

use crate::unicode::{combining_class, compose_two, decompose, joins_backwards};

/// Whether NFC certainly does not change `mark` after the text `before`, which NFC does not change.
///
/// This is the quick check of UAX #15, with an answer for most of its maybes. Marks must be in the order of their combining
/// classes. A mark that can join must follow a plain character with which it does not join, or be a starter that another mark
/// separates from its base. `false` means doubt. `before` may end in an unresolved escape of JSON. Then the letter of `\n` counts
/// as a character, which can only add doubt.
pub(crate) fn stays(before: &[u8], mark: char) -> bool {
    let Some(base) = last(before) else {
        return true;
    };
    let (of_base, of_mark) = (combining_class(base), combining_class(mark));
    if of_mark != 0 && of_base > of_mark {
        return false;
    }
    if !joins_backwards(mark) {
        return true;
    }
    if of_base != 0 {
        return of_mark == 0;
    }
    matches!(decompose(base), Decomposed::Default) && matches!(decompose(mark), Decomposed::Default) && compose_two(base, mark).is_none()
}

/// Returns the last character.
pub(crate) fn last(bytes: &[u8]) -> Option<char> {
    let start = bytes.len() - bytes.len().min(4);
    let tail = &bytes[start..];
    let lead = tail.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    std::str::from_utf8(&tail[lead..]).ok()?.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        assert!(stays("क".as_bytes(), '\u{93C}'), "nukta that does not join");
        assert!(!stays("\u{928}".as_bytes(), '\u{93C}'), "nukta that joins");
        assert!(stays("क".as_bytes(), '\u{94D}'), "virama");
        assert!(stays("а".as_bytes(), '\u{301}'), "stress on a Cyrillic letter");
        assert!(!stays(b"e", '\u{301}'));
        assert!(!stays("é".as_bytes(), '\u{323}'), "goes below the accent, into the letter");
        assert!(!stays("ש\u{5C1}".as_bytes(), '\u{5BC}'), "out of order");
        assert!(stays("\u{9A1}\u{9BC}".as_bytes(), '\u{9BE}'), "cut off by a mark");
        assert!(!stays("\u{1100}".as_bytes(), '\u{1161}'), "jamo");
        assert!(stays(b"", '\u{301}'));
    }
}
