//! The properties of a code point that the scan needs, in one lookup.

use std::sync::OnceLock;

use icu_properties::props::SentenceBreak;

use crate::normal::Form;
use crate::normal::exact::{is_special, normalise};
use crate::normal::segment::starts_segment;
use crate::unicode::{CharacterKind, is_mark, is_white, kind, sentence_break};

/// Properties of a code point that the scan needs. The text need not be in its normal form yet.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(crate) struct ScanEntry {
    /// Normal form of the code point alone, in UTF-8, if it has at most four bytes.
    normal: [u8; 4],
    /// Number of bytes of the normal form, or [`LONG`].
    length: u8,
    /// Flags: the constants below.
    pub(crate) flags: u8,
    /// Sentence_Break property.
    pub(crate) sentence: SentenceBreak,
}

/// Length of a normal form of more than four bytes.
const LONG: u8 = u8::MAX;

impl ScanEntry {
    /// It belongs to a word.
    pub(crate) const WORD: u8 = 1;
    /// It belongs to a word, in a script that is cut into pairs.
    pub(crate) const PAIR: u8 = 2;
    /// It belongs to a word, but begins none.
    pub(crate) const MARK: u8 = 4;
    /// Its normal form has other bytes. If it belongs to a word and is not odd, they are as many and of the same kind.
    pub(crate) const CHANGED: u8 = 8;
    /// As part of a word, it must be replaced before the scan: its normal form has another length, or characters of several kinds.
    pub(crate) const ODD: u8 = 16;
    /// It may be moved, or join the character before it.
    pub(crate) const JOINS: u8 = 32;
    /// It is White_Space.
    pub(crate) const WHITE: u8 = 64;
    /// Its normal form alone is not what it adds to a longer text (see [`is_special`]).
    pub(crate) const SPECIAL: u8 = 128;

    /// Returns the kind of a code point of a text in its normal form.
    pub(crate) fn kind(&self) -> CharacterKind {
        match self.flags & (Self::WORD | Self::PAIR) {
            0 => CharacterKind::Separator,
            Self::WORD => CharacterKind::Word,
            _ => CharacterKind::Pair,
        }
    }

    /// Whether it starts no segment (see [`starts_segment`]).
    pub(crate) fn joins(&self) -> bool {
        self.flags & Self::JOINS != 0
    }

    /// Returns the normal form of the code point alone, or `None` if it has more than four bytes.
    #[inline]
    pub(crate) fn normal(&self) -> Option<&[u8]> {
        self.normal.get(..usize::from(self.length))
    }

    /// Returns the same as a string.
    pub(crate) fn normal_text(&self) -> Option<&str> {
        str::from_utf8(self.normal()?).ok()
    }

    fn new(form: Form, c: char) -> Self {
        let own = c.to_string();
        let normal = normalise(form, &own);
        let first = normal.chars().next().map_or(CharacterKind::Separator, kind);
        let alike = normal.chars().all(|c| kind(c) == first);
        let single = normal.chars().count() == 1;
        // Separators need no bytes. A letter of a pair is a single character.
        let fits = match first {
            CharacterKind::Separator => alike && !normal.is_empty(),
            CharacterKind::Word => alike && normal.len() == own.len(),
            CharacterKind::Pair => single && normal.len() == own.len(),
        };
        let begins_with_mark = normal.starts_with(is_mark);
        let mut flags = 0;
        let mut flag = |bit, holds| flags |= if holds { bit } else { 0 };
        flag(Self::WORD, first != CharacterKind::Separator);
        flag(Self::PAIR, first == CharacterKind::Pair);
        flag(Self::MARK, begins_with_mark);
        flag(Self::CHANGED, normal != own);
        flag(Self::ODD, !fits || begins_with_mark && !single);
        flag(Self::JOINS, !starts_segment(form, c));
        flag(Self::WHITE, is_white(c));
        flag(Self::SPECIAL, is_special(form, c));
        let mut bytes = [0; 4];
        let kept = normal.len() <= bytes.len();
        if kept {
            bytes[..normal.len()].copy_from_slice(normal.as_bytes());
        }
        Self { normal: bytes, length: if kept { normal.len() as u8 } else { LONG }, flags, sentence: sentence_break(c) }
    }
}

/// Pages of 256 code points for each form, filled on first use. A text uses few of the 4,352 pages.
static PAGES: [[OnceLock<Box<[ScanEntry; 256]>>; 0x1100]; 4] = [const { [const { OnceLock::new() }; 0x1100] }; 4];

/// Access to the table of a form. It caches the last page, because a text usually stays in one script for a while.
pub(crate) struct Pages {
    form: Form,
    last: Option<(u32, &'static [ScanEntry; 256])>,
}

impl Pages {
    /// Creates an access to the table of this form.
    pub(crate) fn of(form: Form) -> Self {
        Self { form, last: None }
    }

    /// Returns the entry of a code point. The entry is unspecified for a number that is not a code point.
    #[inline(always)]
    pub(crate) fn entry(&mut self, code: u32) -> &'static ScanEntry {
        let number = (code >> 8).min(0x10FF);
        let page = match self.last {
            Some((last, page)) if last == number => page,
            _ => page(self.form, number),
        };
        self.last = Some((number, page));
        &page[code as usize & 0xFF]
    }
}

#[cold]
#[inline(never)]
fn page(form: Form, number: u32) -> &'static [ScanEntry; 256] {
    PAGES[form as usize][number as usize].get_or_init(|| fill(form, number))
}

#[cold]
fn fill(form: Form, page: u32) -> Box<[ScanEntry; 256]> {
    let at = |low: usize| char::from_u32(page << 8 | low as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
    Box::new(std::array::from_fn(|low| ScanEntry::new(form, at(low))))
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
        let entry = |c: char| Pages::of(Form::Words).entry(c.into());
        let has = |c: char, flag| entry(c).flags & flag != 0;
        assert!(has('É', ScanEntry::WORD | ScanEntry::CHANGED) && !has('É', ScanEntry::JOINS | ScanEntry::ODD));
        assert_eq!(entry('É').normal(), Some("é".as_bytes()));
        assert_eq!(entry('ß').normal(), Some(&b"ss"[..]));
        assert!(!has('ß', ScanEntry::ODD) && !has('Σ', ScanEntry::ODD) && !has('ς', ScanEntry::ODD));
        assert!(
            ['\u{130}', 'Ⱥ', 'ﬁ', 'Ａ', 'º', '№', 'Ⓐ', '\u{958}', '\u{212B}', '\u{AD}', '\u{640}']
                .into_iter()
                .all(|c| has(c, ScanEntry::ODD))
        );
        assert!(['²', '…', '\u{A0}', '™', '´', '①'].into_iter().all(|c| !has(c, ScanEntry::ODD | ScanEntry::WORD)));
        assert!(!has('\u{94D}', ScanEntry::WORD | ScanEntry::PAIR) || has('\u{94D}', ScanEntry::MARK | ScanEntry::JOINS));
        assert!(has('\u{93C}', ScanEntry::JOINS) && has('\u{9BE}', ScanEntry::JOINS) && has('\u{200C}', ScanEntry::JOINS));
        assert!(has('\u{113C5}', ScanEntry::JOINS), "its first part joins what precedes it");
        assert!(!has('\u{93E}', ScanEntry::JOINS) && has('\u{93E}', ScanEntry::MARK));
        assert!(has('字', ScanEntry::PAIR) && has('\u{3000}', ScanEntry::WHITE));
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
