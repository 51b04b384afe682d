//! Whether a mark keeps its form and its place, which depends on the character before it.

use icu_normalizer::properties::Decomposed;

use crate::normal::exact::am;
use crate::normal::segment::joins_backwards;
use crate::scan::table::{Pages, ScanEntry};
use crate::unicode::{combining_class, compose_two, decompose};

/// Whether the normal form certainly changes `c`, which starts no segment, only as its own entry says after the text `before`,
/// all characters of which are settled.
///
/// This is the quick check of UAX #15, with an answer for most of its maybes. Marks must be in the order of their combining
/// classes. A mark that can join must follow a plain character with which it does not join, or be a starter that another mark
/// separates from its base. `false` means doubt. `before` may end in an unresolved escape of JSON. Then the letter of `\n` counts
/// as a character, which can only add doubt.
#[cold]
#[inline(never)]
pub(crate) fn settles(before: &[u8], c: u32, entry: &ScanEntry, pages: &mut Pages) -> bool {
    let Some(mark) = char::from_u32(c) else { return false };
    if entry.normal().is_some_and(<[u8]>::is_empty) {
        // It is left out. What follows it looks at the character before it, and is in doubt.
        return true;
    }
    if entry.flags & ScanEntry::CHANGED != 0 {
        return false;
    }
    match last(before) {
        // The character before may be replaced, and its last part may be one with which the mark joins.
        Some(base) => {
            let entry = pages.entry(base.into());
            let is_special = entry.flags & ScanEntry::SPECIAL != 0;
            !is_special && entry.normal().and_then(last).is_some_and(|base| stays(base, mark))
        }
        None => before.is_empty(),
    }
}

/// Whether NFC certainly does not change `mark` after `base`, the last character of a text that NFC does not change.
fn stays(base: char, mark: char) -> bool {
    let (of_base, of_mark) = (combining_class(base), combining_class(mark));
    if of_mark != 0 && of_base > of_mark || am(base, mark).is_some() {
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
    use crate::normal::Form;

    #[test]
    fn marks() {
        let settles = |before: &str, mark: char| {
            let mut pages = Pages::of(Form::Words);
            let entry = pages.entry(mark.into());
            settles(before.as_bytes(), mark.into(), entry, &mut pages)
        };
        assert!(settles("क", '\u{93C}'), "nukta that does not join");
        assert!(!settles("\u{928}", '\u{93C}'), "nukta that joins");
        assert!(settles("क", '\u{94D}'), "virama");
        assert!(settles("а", '\u{301}'), "stress on a Cyrillic letter");
        assert!(!settles("e", '\u{301}'));
        assert!(!settles("T", '\u{308}'), "joins the small letter alone");
        assert!(!settles("ß", '\u{301}'), "joins the second s");
        assert!(!settles("ῼ", '\u{64B}'), "goes below the iota");
        assert!(!settles("é", '\u{323}'), "goes below the accent, into the letter");
        assert!(!settles("ש\u{5C1}", '\u{5BC}'), "out of order");
        assert!(settles("\u{9A1}\u{9BC}", '\u{9BE}'), "cut off by a mark");
        assert!(!settles("\u{1100}", '\u{1161}'), "jamo");
        assert!(settles("", '\u{301}'));
        assert!(!settles("e\u{AD}", '\u{301}'), "joins across what is left out");
        assert!(!settles("\u{E4D}", '\u{E32}') && settles("\u{E01}", '\u{E32}'), "vowel am");
    }
}
