//! Tokens with their places, by a slow and simple algorithm.

use crate::fingerprint::token;
use crate::fold::FoldedText;
use crate::normal::Form;
use crate::normal::exact::{is_ignorable, normalise};
use crate::scan::segments::each_segment;
use crate::scan::table::Pages;
use crate::scan::whole::normalised;
use crate::simd::Level;
use crate::unicode::is_white;
use crate::units::cut::each_token;
use crate::units::given::GivenValue;
use crate::units::jamo;
use crate::units::pieces::{each_piece, trimmed};
use crate::units::rules::TokenRules;
use crate::units::unit::Unit;
use std::ops::Range;

/// A token and its bytes in the original text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// First byte of the token in the text.
    pub start: usize,
    /// Position after its last byte.
    pub end: usize,
    /// Hash that a [`Tokeniser`](crate::Tokeniser) of the same rules and seed computes for it.
    pub hash: u64,
}

/// Returns every token of a text with its place, in order.
///
/// Places are bytes of `text` as given, not normalised. If normalisation joined or split characters, a token covers all bytes of
/// the original sequence. A word or a character never ends with characters that are not seen. Each jamo of a syllable covers the whole
/// syllable. Time and memory are linear: 24 bytes per token, and about 60 per character of the longest stretch without spaces; for code
/// of the whole text. Folds take another 48 per byte.
#[must_use]
pub fn locate(rules: impl Into<TokenRules>, seed: u64, text: &str) -> Vec<Located> {
    let (rules, mut found) = (rules.into(), vec![]);
    // Given values cover the whole field, and a number is its own hash.
    if rules.unit == Unit::Given {
        let given = GivenValue::all(text).unwrap_or_default();
        found.extend(given.iter().map(|given| Located { start: 0, end: text.len(), hash: given.token(seed) }));
    } else {
        each_located(rules, text, |Range { start, end }, bytes| found.push(Located { start, end, hash: token(bytes, seed) }));
    }
    found
}

/// A token as it is compared, and its bytes in the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenToken {
    /// The token. If tokens are bytes, U+FFFD replaces one that is not ASCII.
    pub token: String,
    /// Its place in the text.
    pub place: Range<usize>,
}

/// Returns the same tokens as [`locate`](locate()), written out.
#[must_use]
pub fn written_tokens(rules: impl Into<TokenRules>, text: &str) -> Vec<WrittenToken> {
    let (rules, mut found) = (rules.into(), vec![]);
    if rules.unit == Unit::Given {
        let given = GivenValue::all(text).unwrap_or_default();
        found.extend(given.iter().map(|given| WrittenToken { token: given.to_string(), place: 0..text.len() }));
    } else {
        each_located(rules, text, |place, bytes| {
            found.push(WrittenToken { token: String::from_utf8_lossy(bytes).into_owned(), place });
        });
    }
    found
}

/// Calls `emit` with the place and the bytes of every token, after the folds of the rules. Given values are no such tokens.
fn each_located(rules: TokenRules, text: &str, mut emit: impl FnMut(Range<usize>, &[u8])) {
    if rules.folds.is_empty() {
        return each_in_parts(rules, text, PART, &mut emit);
    }
    let folded = FoldedText::of(rules.folds, rules.form(), text);
    each_in_parts(rules, &folded.text, PART, &mut |place, bytes| emit(folded.origin(place), bytes));
}

/// Calls `emit` with the place and the bytes of every token, in parts of at least `least` bytes.
fn each_in_parts(rules: TokenRules, text: &str, least: usize, emit: &mut impl FnMut(Range<usize>, &[u8])) {
    let mut one = |letter: Letter| emit(letter.start..letter.end, letter.c.encode_utf8(&mut [0; 4]).as_bytes());
    match rules.unit {
        Unit::Words | Unit::Eojeol | Unit::Segmented => {
            each_part(text, least, |part| each_word(rules, &letters(rules.form(), text, part), emit));
        }
        // A comment or a literal may reach across white space.
        Unit::Code => each_word(rules, &letters(Form::Code, text, 0..text.len()), emit),
        Unit::Chars => each_part(text, least, |part| black(text, part).for_each(&mut one)),
        Unit::Jamo => each_part(text, least, |part| {
            for letter in black(text, part) {
                match jamo::split(letter.c.into()) {
                    Some(jamo) => jamo.for_each(|c| one(Letter { c, ..letter })),
                    None => one(letter),
                }
            }
        }),
        Unit::Bytes => text.bytes().enumerate().for_each(|(start, byte)| emit(start..start + 1, &[byte])),
        Unit::Lines | Unit::Sentences | Unit::Paragraphs => each_piece(rules.unit, Level::best(), text, |place| {
            let normal = normalised(Form::Characters, &text[place.clone()]);
            let piece = trimmed(&normal);
            if !piece.is_empty() {
                emit(place, piece.as_bytes());
            }
        }),
        Unit::Given => {}
    }
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
/// does not join. No token crosses such a place, and the normal form does not depend on characters from the other side of it.
fn each_part(text: &str, least: usize, mut emit: impl FnMut(Range<usize>)) {
    let mut open = 0;
    let (mut after_space, mut pages) = (false, Pages::of(Form::Words));
    for (at, c) in text.char_indices() {
        if after_space && at - open >= least && !pages.entry(c.into()).joins() {
            emit(open..at);
            open = at;
        }
        after_space = is_white(c);
    }
    emit(open..text.len());
}

/// Returns the letters of a part that are not white space.
fn black(text: &str, part: Range<usize>) -> impl Iterator<Item = Letter> {
    letters(Form::Characters, text, part).into_iter().filter(|letter| !is_white(letter.c))
}

/// Returns the letters of a part of the text, normalised.
fn letters(form: Form, text: &str, part: Range<usize>) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::with_capacity(part.len());
    let (mut pages, mut alone) = (Pages::of(form), String::new());
    each_segment(form, &text[part.clone()], |range| {
        let (start, first) = (part.start + range.start, letters.len());
        let segment = text[part.clone()][range].trim_end_matches(is_ignorable);
        if let [byte] = *segment.as_bytes() {
            let c = char::from(if form == Form::Code { byte } else { byte.to_ascii_lowercase() });
            return letters.push(Letter { c, start, end: start + 1 });
        }
        alone.clear();
        for (at, c) in segment.char_indices() {
            let (start, end) = (start + at, start + at + c.len_utf8());
            let exact;
            let normal = match pages.entry(c.into()).normal_text() {
                Some(normal) => normal,
                None => {
                    exact = normalise(form, c.encode_utf8(&mut [0; 4]));
                    &exact
                }
            };
            alone.push_str(normal);
            letters.extend(normal.chars().map(|c| Letter { c, start, end }));
        }
        if segment.chars().nth(1).is_none() {
            return;
        }
        let normal = normalise(form, segment);
        // Characters that do not keep their own normal form beside each other cover the whole segment.
        if normal != alone {
            letters.truncate(first);
            letters.extend(normal.chars().map(|c| Letter { c, start, end: start + segment.len() }));
        }
    });
    letters
}

/// Calls `emit` with the place and the bytes of every token of some letters, for a unit of words or code.
fn each_word(rules: TokenRules, letters: &[Letter], emit: &mut impl FnMut(Range<usize>, &[u8])) {
    let normal: String = letters.iter().map(|letter| letter.c).collect();
    let starts: Vec<usize> = normal.char_indices().map(|(at, _)| at).collect();
    let number = |at: usize| starts.partition_point(|&start| start < at);
    each_token(rules, &normal, |range| {
        let places = &letters[number(range.start)..number(range.end)];
        let start = places.iter().map(|letter| letter.start).min().unwrap_or(0);
        let end = places.iter().map(|letter| letter.end).max().unwrap_or(0);
        emit(start..end, normal[range].as_bytes());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Texts of letters that join, change their length or separate words, with many spaces.
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
            let tokens = |rules, least| {
                let mut found = vec![];
                each_in_parts(rules, &text, least, &mut |place, bytes| found.push((place, bytes.to_vec())));
                found
            };
            for unit in [Unit::Words, Unit::Eojeol, Unit::Segmented, Unit::Chars, Unit::Jamo] {
                for signs in [false, unit.is_of_words()] {
                    let rules = TokenRules { signs, ..unit.into() };
                    prop_assert_eq!(tokens(rules, least), tokens(rules, usize::MAX));
                }
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
