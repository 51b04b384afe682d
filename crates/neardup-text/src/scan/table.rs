//! The properties of a code point that the scan needs, in one lookup.

use std::sync::OnceLock;

use icu_properties::props::SentenceBreak;

use crate::unicode::{CharacterKind, compose, is_white, kind, lower, sentence_break, starts_segment};

/// Properties of a code point that the scan needs. The text need not be normalised yet.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(crate) struct ScanEntry {
    /// Lower case in UTF-8, of the same length as the code point itself.
    pub(crate) lower: [u8; 4],
    /// Flags: the constants below.
    pub(crate) flags: u8,
    /// Sentence_Break property.
    pub(crate) sentence: SentenceBreak,
}

impl ScanEntry {
    /// It belongs to a word.
    pub(crate) const WORD: u8 = 1;
    /// It belongs to a word, in a script that is cut into pairs.
    pub(crate) const PAIR: u8 = 2;
    /// Its lower case is another character.
    pub(crate) const CAPITAL: u8 = 4;
    /// Its lower case depends on its neighbours, or has another length.
    pub(crate) const ODD_CASE: u8 = 8;
    /// NFC replaces it wherever it is.
    pub(crate) const ODD_FORM: u8 = 16;
    /// NFC may move it, or join it with the character before it.
    pub(crate) const MARK: u8 = 32;
    /// It is White_Space.
    pub(crate) const WHITE: u8 = 64;

    /// Returns the kind of a code point of normalised text.
    pub(crate) fn kind(&self) -> CharacterKind {
        match self.flags & (Self::WORD | Self::PAIR) {
            0 => CharacterKind::Separator,
            Self::WORD => CharacterKind::Word,
            _ => CharacterKind::Pair,
        }
    }

    fn new(c: char) -> Self {
        let mut own = [0; 4];
        let length = c.encode_utf8(&mut own).len();
        let text = c.to_string();
        let lowered = lower(&text);
        let mut flags = 0;
        let mut flag = |bit, holds| flags |= if holds { bit } else { 0 };
        flag(Self::ODD_CASE, lowered.len() != length || lowered.chars().count() != 1 || c == '\u{3A3}');
        flag(Self::CAPITAL, *lowered != *text);
        flag(Self::ODD_FORM, compose(&text) != text);
        flag(Self::MARK, !starts_segment(c));
        flag(Self::WHITE, is_white(c));
        // For an odd character these do not matter: its text takes the slow path.
        let kind = kind(lowered.chars().next().unwrap_or(c));
        flag(Self::WORD, kind != CharacterKind::Separator);
        flag(Self::PAIR, kind == CharacterKind::Pair);
        let mut lower = own;
        if lowered.len() == length {
            lower[..length].copy_from_slice(lowered.as_bytes());
        }
        Self { lower, flags, sentence: sentence_break(c) }
    }
}

/// Pages of 256 code points, filled on first use. A text uses few of the 4,352 pages.
static PAGES: [OnceLock<Box<[ScanEntry; 256]>>; 0x1100] = [const { OnceLock::new() }; 0x1100];

/// Access to the table. It caches the last page, because a text usually stays in one script for a while.
#[derive(Default)]
pub(crate) struct Pages {
    last: Option<(u32, &'static [ScanEntry; 256])>,
}

impl Pages {
    /// Returns the entry of a code point. The entry is unspecified for a number that is not a code point.
    #[inline(always)]
    pub(crate) fn entry(&mut self, code: u32) -> &'static ScanEntry {
        let number = (code >> 8).min(0x10FF);
        let page = match self.last {
            Some((last, page)) if last == number => page,
            _ => page(number),
        };
        self.last = Some((number, page));
        &page[code as usize & 0xFF]
    }
}

#[cold]
#[inline(never)]
fn page(number: u32) -> &'static [ScanEntry; 256] {
    PAGES[number as usize].get_or_init(|| fill(number))
}

#[cold]
fn fill(page: u32) -> Box<[ScanEntry; 256]> {
    let at = |low: usize| char::from_u32(page << 8 | low as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    Box::new(std::array::from_fn(|low| ScanEntry::new(at(low))))
}

/// Returns the code point at `at` and the number of its bytes. It never reads past the end, for any bytes.
#[inline(always)]
pub(crate) fn code_at(bytes: &[u8], at: usize) -> (u32, usize) {
    let four = match bytes[at..].first_chunk::<4>() {
        Some(four) => *four,
        None => padded(&bytes[at..]),
    };
    let [a, b, c, d] = four.map(u32::from);
    let (b, c, d) = (b & 0x3F, c & 0x3F, d & 0x3F);
    match a {
        0..0x80 => (a, 1),
        0x80..0xE0 => ((a & 0x1F) << 6 | b, 2),
        0xE0..0xF0 => ((a & 0xF) << 12 | b << 6 | c, 3),
        _ => ((a & 7) << 18 | b << 12 | c << 6 | d, 4),
    }
}

#[cold]
fn padded(rest: &[u8]) -> [u8; 4] {
    let mut four = [0; 4];
    four[..rest.len()].copy_from_slice(rest);
    four
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags() {
        let entry = |c: char| Pages::default().entry(c.into());
        let has = |c: char, flag| entry(c).flags & flag != 0;
        assert!(has('É', ScanEntry::WORD | ScanEntry::CAPITAL) && !has('É', ScanEntry::MARK | ScanEntry::ODD_CASE | ScanEntry::ODD_FORM));
        assert_eq!(entry('É').lower, [0xC3, 0xA9, 0, 0]);
        assert!(has('\u{130}', ScanEntry::ODD_CASE) && has('Σ', ScanEntry::ODD_CASE) && has('Ⱥ', ScanEntry::ODD_CASE));
        assert!(has('\u{958}', ScanEntry::ODD_FORM) && has('\u{212B}', ScanEntry::ODD_FORM));
        assert!(has('\u{94D}', ScanEntry::MARK) && has('\u{93C}', ScanEntry::MARK) && has('\u{9BE}', ScanEntry::MARK));
        assert!(has('\u{113C5}', ScanEntry::MARK), "its first part joins what precedes it");
        assert!(!has('\u{93E}', ScanEntry::MARK) && has('字', ScanEntry::PAIR) && has('\u{3000}', ScanEntry::WHITE));
    }

    #[test]
    fn decodes_every_code_point() {
        for c in '\0'..=char::MAX {
            let mut bytes = [0; 4];
            let text = c.encode_utf8(&mut bytes).as_bytes();
            assert_eq!(code_at(text, 0), (c.into(), text.len()));
        }
    }
}
