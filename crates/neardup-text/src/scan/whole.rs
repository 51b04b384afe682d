//! The normal form of whole texts. Masks pass over ASCII and the large scripts, and the table has most other characters.

use std::borrow::Cow;

use icu_normalizer::DecomposingNormalizerBorrowed;

use crate::normal::Form;
use crate::normal::exact::{self, composed, fold_into};
use crate::scan::letters::{Letters, letters};
use crate::scan::settle::settles;
use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::simd::{Kernel, Lanes, Level, bytes_at};

/// Minimum number of bytes to which the exact rules are applied at once, since a call costs as much as dozens of characters.
const STRETCH: usize = 64;

/// Appends the normal form of a text to `out`. It is that of [`normalise`](crate::normal::exact::normalise).
pub(crate) fn normalise_into(level: Level, form: Form, text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    out.reserve(text.len());
    level.run(Normalise { form, text, out });
    if form != Form::Code {
        // All else is in its normal form, which has no capitals.
        out[start..].make_ascii_lowercase();
    }
}

/// Returns the normal form of a text whose tokens are words. Texts with the same one have the same tokens.
#[must_use]
pub fn normal_form(text: &str) -> String {
    normalised(Form::Words, text)
}

/// Returns the normal form of a text (see [`normalise_into`]).
pub(crate) fn normalised(form: Form, text: &str) -> String {
    let mut out = vec![];
    normalise_into(Level::best(), form, text, &mut out);
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Appends the normal form of `text` except the case of ASCII.
struct Normalise<'a> {
    form: Form,
    text: &'a str,
    out: &'a mut Vec<u8>,
}

impl Kernel for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { form, text, out } = self;
        let source = text.as_bytes();
        let mut writer = NormalWriter { form, text, done: 0, pages: Pages::of(form), out };
        for at in (0..source.len()).step_by(64) {
            let mut padded = [0; 66];
            let block = bytes_at(source, at, &mut padded);
            let [this @ .., _, _] = block;
            let x = lanes.load(this);
            let mut rest = lanes.high(x);
            if rest != 0 {
                rest &= changing(lanes, x, rest, block);
            }
            while rest != 0 {
                let place = at + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if place >= writer.done {
                    writer.character(place);
                }
            }
        }
        writer.copy(source.len());
    }
}

/// Returns where a character begins that the normal form may change. `x` is the block, and `high` are its bytes that are not ASCII.
#[inline(always)]
fn changing<L: Lanes>(lanes: L, x: L::Block, high: u64, [_, rest @ ..]: &[u8; 66]) -> u64 {
    let [next @ .., _] = rest;
    let [_, third @ ..] = rest;
    let leads = high & !lanes.between(x, 0x80, 0xBF);
    let Letters { two, three, pairs, signs, .. } = letters(lanes, leads, x, lanes.load(next), third);
    leads & !(two | three | pairs | signs)
}

/// Writes the normal form of a text.
struct NormalWriter<'a> {
    form: Form,
    text: &'a str,
    /// Number of bytes of the text whose normal form is in `out`. A segment ends there.
    done: usize,
    pages: Pages,
    out: &'a mut Vec<u8>,
}

impl NormalWriter<'_> {
    /// Processes the character at `place`. All before it that is not yet in `out` is unchanged.
    fn character(&mut self, place: usize) {
        let source = self.text.as_bytes();
        let (code, length) = code_at(source, place);
        let entry = self.pages.entry(code);
        if entry.flags & (ScanEntry::CHANGED | ScanEntry::JOINS) == 0 {
            return;
        }
        if entry.joins() && !settles(&source[..place], code, entry, &mut self.pages) {
            return self.exact(place);
        }
        if entry.flags & ScanEntry::CHANGED == 0 {
            return;
        }
        let end = place + length;
        match entry.normal() {
            Some(normal) if end >= source.len() || !self.pages.entry(code_at(source, end).0).joins() => {
                self.copy(place);
                self.out.extend_from_slice(normal);
                self.done = end;
            }
            _ => self.exact(place),
        }
    }

    /// Appends the text up to `end` as it is.
    fn copy(&mut self, end: usize) {
        self.out.extend_from_slice(&self.text.as_bytes()[self.done..end.max(self.done)]);
        self.done = end.max(self.done);
    }

    /// Applies the exact rules to the segment of the character at `place`, and to some after it.
    #[cold]
    fn exact(&mut self, place: usize) {
        let pages = &mut self.pages;
        let joins = |pages: &mut Pages, c: char| pages.entry(c.into()).joins();
        let here = self.text[place..].chars().next();
        let mut start = place;
        if here.is_some_and(|c| joins(pages, c)) {
            for (at, c) in self.text[self.done..place].char_indices().rev() {
                start = self.done + at;
                if !joins(pages, c) {
                    break;
                }
            }
        }
        let mut rest = self.text[place..].char_indices().skip(1);
        let end = rest.find(|&(at, c)| at >= STRETCH && !joins(pages, c)).map_or(self.text.len(), |(at, _)| place + at);
        self.copy(start);
        let normal = composed(&mapped(self.form, &self.text[start..end], &mut self.pages));
        self.out.extend_from_slice(normal.as_bytes());
        self.done = end;
    }
}

/// Returns a piece of text after the first step of the exact rules, which most pieces skip.
pub(crate) fn prepared<'p>(form: Form, piece: &'p str, pages: &mut Pages) -> Cow<'p, str> {
    let is_special = piece.chars().any(|c| pages.entry(c.into()).flags & ScanEntry::SPECIAL != 0);
    if is_special { exact::prepared(form, piece) } else { Cow::Borrowed(piece) }
}

/// Returns a piece of text with each character of its decomposition folded, by the table where it has the folded form.
fn mapped(form: Form, piece: &str, pages: &mut Pages) -> String {
    let piece = prepared(form, piece, pages);
    let mut mapped = String::with_capacity(piece.len());
    for c in const { DecomposingNormalizerBorrowed::new_nfd() }.normalize(&piece).chars() {
        let entry = pages.entry(c.into());
        match entry.normal_text() {
            Some(normal) if entry.flags & ScanEntry::SPECIAL == 0 => mapped.push_str(normal),
            _ => fold_into(form, c, &mut mapped),
        }
    }
    mapped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::exact::normalise;
    use proptest::prelude::*;

    fn check(text: &str) {
        for form in Form::ALL {
            let expected = normalise(form, text);
            for level in Level::available() {
                let mut out = b"Before".to_vec();
                normalise_into(level, form, text, &mut out);
                let out = str::from_utf8(&out).unwrap();
                assert_eq!(out, format!("Before{expected}"), "{text:?} on {}", level.name());
            }
        }
    }

    #[test]
    fn characters_alone_and_between_letters() {
        for c in ('\0'..='\u{1FFFF}').chain('\u{2F000}'..='\u{2FFFF}').chain('\u{E0000}'..='\u{E0FFF}') {
            check(&format!("{c}A{c}B가{c} Σ"));
        }
    }

    #[test]
    #[ignore = "every character; most are of planes that have none or ideographs alone"]
    fn every_character_alone_and_between_letters() {
        ('\0'..=char::MAX).for_each(|c| check(&format!("{c}A{c}B가{c} Σ")));
    }

    fn letter() -> impl Strategy<Value = char> {
        let hard = "aETz ,.Σςßﬁ²①Ⓐ™´№…ـ\u{AD}\u{200C}\u{FE0F}\u{301}\u{323}\u{345}\u{308}\u{FE76}\u{64E}\u{651}\u{E4D}\u{E48}\u{E32}\u{E33}\u{1100}\u{1161}\u{11A8}가カﾞ\u{3099}\u{93C}नＡ，\u{FF9E}\u{1FB4}\u{390}漢İ\u{2126}\u{FB01}\u{385}";
        prop_oneof![6 => prop::sample::select(hard.chars().collect::<Vec<_>>()), 1 => any::<char>()]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn as_the_exact_rules(letters in prop::collection::vec(letter(), 0..60), front in 0..70_usize) {
            check(&("x".repeat(front) + &String::from_iter(letters)));
        }
    }
}
