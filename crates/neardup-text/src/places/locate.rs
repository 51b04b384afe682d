//! Tokens with their places, by a slow and simple algorithm.

use crate::fingerprint::token;
use crate::simd::Level;
use crate::unicode::{CharacterKind, compose, is_white, kind, lower, normalise, starts_segment};
use crate::units::given::GivenValue;
use crate::units::jamo;
use crate::units::pieces::each_piece;
use crate::units::segmented::each_segment;
use crate::units::unit::Unit;
use std::ops::Range;

/// A token and its bytes in the original text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// First byte of the token in the text.
    pub start: usize,
    /// Position after its last byte.
    pub end: usize,
    /// Hash that a [`Tokeniser`](crate::Tokeniser) of the same unit and seed computes for it.
    pub hash: u64,
}

/// Returns every token of a text with its place, in order.
///
/// Places are bytes of `text` as given, not normalised. If normalisation joined or split characters, a token covers all bytes of
/// the original sequence. Each jamo of a syllable covers the whole syllable. Time and memory are linear: 24 bytes per token, and
/// about 60 per character of the longest stretch without spaces.
#[must_use]
pub fn locate(unit: Unit, seed: u64, text: &str) -> Vec<Located> {
    locate_in_parts(unit, seed, text, PART)
}

/// Like [`locate`], in parts of at least `least` bytes.
fn locate_in_parts(unit: Unit, seed: u64, text: &str, least: usize) -> Vec<Located> {
    let mut found = vec![];
    let mut buffer = String::new();
    let mut join = |letters: &[Letter]| {
        buffer.clear();
        buffer.extend(letters.iter().map(|letter| letter.c));
        let start = letters.iter().map(|letter| letter.start).min().unwrap_or(0);
        let end = letters.iter().map(|letter| letter.end).max().unwrap_or(0);
        found.push(Located { start, end, hash: token(buffer.as_bytes(), seed) });
    };
    match unit {
        Unit::Words | Unit::Eojeol | Unit::Segmented => each_part(text, least, |part| each_word(unit, &letters(text, part), &mut join)),
        Unit::Chars => each_part(text, least, |part| black(text, part).for_each(|letter| join(&[letter]))),
        Unit::Jamo => each_part(text, least, |part| {
            for letter in black(text, part) {
                match jamo::split(letter.c.into()) {
                    Some(jamo) => jamo.for_each(|c| join(&[Letter { c, ..letter }])),
                    None => join(&[letter]),
                }
            }
        }),
        Unit::Bytes => {
            found.extend(text.bytes().enumerate().map(|(start, byte)| Located { start, end: start + 1, hash: token(&[byte], seed) }));
        }
        // Given values cover the whole field.
        Unit::Given => {
            let given = GivenValue::all(text).unwrap_or_default();
            found.extend(given.iter().map(|given| Located { start: 0, end: text.len(), hash: given.token(seed) }));
        }
        Unit::Lines | Unit::Sentences | Unit::Paragraphs => each_piece(unit, Level::best(), text, |range| {
            found.push(Located { start: range.start, end: range.end, hash: token(normalise(&text[range]).as_bytes(), seed) });
        }),
    }
    found
}

/// A code point of the normalised text and its bytes in the original.
#[derive(Clone, Copy, Debug)]
struct Letter {
    c: char,
    start: usize,
    end: usize,
}

/// Minimum number of bytes of a text that are processed as letters at once.
const PART: usize = 1 << 16;

/// Calls `emit` with the parts of a text, of at least `least` bytes each. A part ends after white space that the next character
/// does not join. No token crosses such a place, and lower case does not depend on characters from the other side of it.
fn each_part(text: &str, least: usize, mut emit: impl FnMut(Range<usize>)) {
    let mut open = 0;
    let mut after_space = false;
    for (at, c) in text.char_indices() {
        if after_space && at - open >= least && starts_segment(c) {
            emit(open..at);
            open = at;
        }
        after_space = is_white(c);
    }
    emit(open..text.len());
}

/// Returns the letters of a part that are not white space.
fn black(text: &str, part: Range<usize>) -> impl Iterator<Item = Letter> {
    letters(text, part).into_iter().filter(|letter| !is_white(letter.c))
}

/// Returns the letters of a part of the text, normalised.
fn letters(text: &str, part: Range<usize>) -> Vec<Letter> {
    let mut composed: Vec<Letter> = Vec::with_capacity(part.len());
    let mut each_segment = |start: usize, end: usize| {
        let segment = &text[start..end];
        let normal = compose(segment);
        if normal == segment {
            composed.extend(segment.char_indices().map(|(at, c)| Letter { c, start: start + at, end: start + at + c.len_utf8() }));
        } else {
            composed.extend(normal.chars().map(|c| Letter { c, start, end }));
        }
    };
    let mut open = part.start;
    for (at, c) in text[part.clone()].char_indices().skip(1) {
        if starts_segment(c) {
            each_segment(open, part.start + at);
            open = part.start + at;
        }
    }
    each_segment(open, part.end);
    lower_letters(&composed)
}

/// Converts letters to lower case. The whole part is converted at once, since the lower case of a sigma depends on its neighbours.
fn lower_letters(composed: &[Letter]) -> Vec<Letter> {
    let whole: String = composed.iter().map(|letter| letter.c).collect();
    let lowered = lower(&whole);
    let mut mapped = lowered.chars();
    let mut letters = Vec::with_capacity(composed.len());
    for letter in composed {
        let count = if letter.c.is_ascii() { 1 } else { lower(letter.c.encode_utf8(&mut [0; 4])).chars().count() };
        letters.extend(mapped.by_ref().take(count).map(|c| Letter { c, ..*letter }));
    }
    letters
}

/// Calls `emit` with the letters of every token of a unit made of words.
fn each_word(unit: Unit, letters: &[Letter], mut emit: impl FnMut(&[Letter])) {
    let kind = |letter: &Letter| match kind(letter.c) {
        CharacterKind::Pair if unit == Unit::Eojeol => CharacterKind::Word,
        kind => kind,
    };
    for run in letters.chunk_by(|a, b| kind(a) == kind(b)) {
        match kind(&run[0]) {
            CharacterKind::Separator => {}
            CharacterKind::Pair if unit == Unit::Segmented => {
                let normal: String = run.iter().map(|letter| letter.c).collect();
                let mut rest = run;
                each_segment(&normal, |part| emit(rest.split_off(..normal[part].chars().count()).unwrap_or_default()));
            }
            CharacterKind::Pair if run.len() > 1 => run.windows(2).for_each(&mut emit),
            CharacterKind::Word | CharacterKind::Pair => emit(run),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Texts of letters that join, change case by their neighbours or separate words, with many spaces.
    const LETTERS: &[char] =
        &['a', 'Σ', 'σ', 'ς', 'É', 'e', '\u{301}', '\u{327}', '.', '\'', '한', '\u{1100}', '\u{1161}', 'カ', '\u{3099}', '漢', 'İ'];
    const SPACES: &[char] = &[' ', '\n', '\u{3000}', '\u{A0}', '\u{2002}', '\u{2000}'];

    fn text() -> impl Strategy<Value = String> {
        let letter = prop_oneof![3 => proptest::sample::select(LETTERS), 2 => proptest::sample::select(SPACES)];
        proptest::collection::vec(letter, 0..40).prop_map(|letters| letters.into_iter().collect())
    }

    proptest! {
        #[test]
        fn parts_change_nothing(text in text(), least in 1..6_usize) {
            for unit in [Unit::Words, Unit::Eojeol, Unit::Segmented, Unit::Chars, Unit::Jamo] {
                prop_assert_eq!(locate_in_parts(unit, 3, &text, least), locate_in_parts(unit, 3, &text, usize::MAX));
            }
        }
    }

    #[test]
    fn a_part_ends_behind_spaces_that_join_nothing() {
        let parts = |text| {
            let mut parts = Vec::new();
            each_part(text, 2, |part| parts.push(&text[part]));
            parts
        };
        assert_eq!(parts("a b c\n\nd"), ["a ", "b ", "c\n", "\nd"]);
        assert_eq!(parts("ab \u{301}c d"), ["ab \u{301}c ", "d"]);
        assert_eq!(parts(""), [""]);
    }
}
