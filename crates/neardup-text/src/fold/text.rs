//! A text after its folds, and where each part of it was.

use std::ops::Range;

use icu_normalizer::DecomposingNormalizerBorrowed;

use super::{FoldContext, Folding, Folds};
use crate::normal::Form;
use crate::normal::exact::{TATWEEL, is_ignorable, is_other_number};
use crate::scan::table::Pages;
use crate::scan::whole::prepared;
use crate::unicode::is_combining;

/// A text after its folds.
#[derive(Debug, Default)]
pub(crate) struct FoldedText {
    /// The text; what a fold changes is decomposed in it.
    pub(crate) text: String,
    /// For each character of it, its first byte and the bytes of the original from which it was made.
    origins: Vec<(usize, Range<usize>)>,
}

impl FoldedText {
    /// Applies folds to a text, and remembers where each part of it was.
    pub(crate) fn of(folds: Folds, form: Form, text: &str) -> Self {
        let mut folded = Self::default();
        fold(folds, form, text, |piece| match piece {
            FoldedPiece::Same(range) => {
                for (at, c) in text[range.clone()].char_indices() {
                    folded.push(c, range.start + at..range.start + at + c.len_utf8());
                }
            }
            FoldedPiece::Other(other, origin) => other.chars().for_each(|c| folded.push(c, origin.clone())),
        });
        folded
    }

    /// Returns the bytes of the original for a range of the folded text, which is not empty.
    pub(crate) fn origin(&self, range: Range<usize>) -> Range<usize> {
        let first = self.origins.partition_point(|(at, _)| *at <= range.start).saturating_sub(1);
        let last = self.origins.partition_point(|(at, _)| *at < range.end).saturating_sub(1);
        // The original is folded from its beginning to its end, so neither starts nor ends become smaller.
        let of = |number: usize| self.origins.get(number).map_or(0..0, |(_, origin)| origin.clone());
        of(first).start..of(last).end
    }

    fn push(&mut self, c: char, origin: Range<usize>) {
        self.origins.push((self.text.len(), origin));
        self.text.push(c);
    }
}

/// Appends a text after its folds to `out`.
pub(crate) fn fold_into(folds: Folds, form: Form, text: &str, out: &mut String) {
    out.reserve(text.len());
    fold(folds, form, text, |piece| match piece {
        FoldedPiece::Same(range) => out.push_str(&text[range]),
        FoldedPiece::Other(other, _) => out.push_str(other),
    });
}

/// A piece of a text after its folds.
enum FoldedPiece<'a> {
    /// The text in this range, as it is.
    Same(Range<usize>),
    /// Another text, and the range from which it was made.
    Other(&'a str, Range<usize>),
}

/// Applies folds to a text, and calls `emit` with its pieces in order. What a fold changes is decomposed as the normal form does it
/// later.
fn fold(folds: Folds, form: Form, text: &str, emit: impl FnMut(FoldedPiece<'_>)) {
    let bytes = text.as_bytes();
    let mut changed = [false; 128];
    folds.iter().flat_map(|fold| fold.ascii.bytes()).for_each(|byte| changed[usize::from(byte)] = true);
    let mut folder = Folder { folds, form, text, pages: Pages::of(form), base: None, skip: 0, emit };
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| changed.get(usize::from(**byte)) == Some(&false)).count();
        // A mark may follow the last character of the run.
        let last = usize::from(bytes.get(at + run).is_some_and(|byte| !byte.is_ascii()));
        if run > last {
            folder.plain(at..at + run - last);
            at += run - last;
            continue;
        }
        let mut rest = text[at..].char_indices().skip(1);
        let end = rest.find(|(_, c)| !folder.pages.entry((*c).into()).joins()).map_or(bytes.len(), |(length, _)| at + length);
        folder.segment(at..end);
        at = end.max(folder.skip);
    }
}

struct Folder<'a, E> {
    folds: Folds,
    form: Form,
    text: &'a str,
    pages: Pages,
    /// The last character that is no mark and is seen.
    base: Option<char>,
    /// The text before this byte is left out.
    skip: usize,
    emit: E,
}

impl<E: FnMut(FoldedPiece<'_>)> Folder<'_, E> {
    /// Adds ASCII that no fold changes.
    fn plain(&mut self, range: Range<usize>) {
        self.base = self.text[range.clone()].chars().next_back().or(self.base);
        (self.emit)(FoldedPiece::Same(range));
    }

    /// Adds a segment. If no fold changes a character of it, it stays as it is.
    fn segment(&mut self, range: Range<usize>) {
        let visible = self.text[range.clone()].trim_end_matches(is_ignorable).len();
        let (seen, unseen) = (range.start..range.start + visible, range.start + visible..range.end);
        let segment = &self.text[seen.clone()];
        let decomposed = decomposed(&prepared(self.form, segment, &mut self.pages));
        let (base, rest) = (self.base, &self.text[seen.start..]);
        let mut last = base;
        let is_changed = decomposed.chars().any(|c| {
            let changed = self.apply(FoldContext { base: last, rest }, c) != Folding::Same;
            last = next_base(last, c);
            changed
        });
        if !is_changed {
            self.base = last;
            (self.emit)(FoldedPiece::Same(seen));
        } else if decomposed == segment {
            self.characters(seen);
        } else {
            decomposed.chars().for_each(|c| self.character(c, seen.clone(), false));
        }
        self.characters(unseen);
    }

    /// Returns what the first fold that changes a character makes of it.
    fn apply(&self, context: FoldContext<'_>, c: char) -> Folding {
        self.folds.iter().map(|fold| (fold.apply)(context, c)).find(|folding| *folding != Folding::Same).unwrap_or(Folding::Same)
    }

    /// Adds characters that are decomposed already.
    fn characters(&mut self, range: Range<usize>) {
        for (at, c) in self.text[range.clone()].char_indices() {
            self.character(c, range.start + at..range.start + at + c.len_utf8(), true);
        }
    }

    /// Adds a character that was made from the bytes `origin`, and `is_same` if it is what they contain.
    fn character(&mut self, c: char, origin: Range<usize>, is_same: bool) {
        if origin.start < self.skip {
            return;
        }
        let context = FoldContext { base: self.base, rest: &self.text[origin.start..] };
        match self.apply(context, c) {
            Folding::Same if is_same => (self.emit)(FoldedPiece::Same(origin)),
            Folding::Same => (self.emit)(FoldedPiece::Other(c.encode_utf8(&mut [0; 4]), origin)),
            Folding::Text(text) => (self.emit)(FoldedPiece::Other(text, origin)),
            Folding::Skip(bytes) => self.skip = origin.start + bytes,
        }
        self.base = next_base(self.base, c);
    }
}

/// Returns the last character that is no mark and is seen, after `c`. Tatweel only stretches the letter before it.
fn next_base(base: Option<char>, c: char) -> Option<char> {
    let is_passed = !c.is_ascii() && (is_combining(c) || is_ignorable(c) || c == TATWEEL);
    if is_passed { base } else { Some(c) }
}

/// Returns the compatibility decomposition of a text, in which superscripts, fractions and circled numbers stay.
fn decomposed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in const { DecomposingNormalizerBorrowed::new_nfd() }.normalize(text).chars() {
        if is_other_number(c) {
            out.push(c);
        } else {
            out.push_str(&const { DecomposingNormalizerBorrowed::new_nfkd() }.normalize(c.encode_utf8(&mut [0; 4])));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::exact::normalise;
    use proptest::prelude::*;

    fn folded(folds: &str, text: &str) -> String {
        normalise(Form::Words, &FoldedText::of(folds.parse().unwrap(), Form::Words, text).text)
    }

    #[test]
    fn each_fold() {
        for (folds, text, expected) in [
            ("marks", "Café naïve Ångström ñ ữ", "cafe naive angstrom n u"),
            ("marks", "λόγος ᾳ Ёлка й Й и\u{306}\u{301} ї", "λογοσ α елка й й й і"),
            ("marks", "שָׁלוֹם مُحَمَّد أ ئ م\u{640}\u{64E} \u{FE77} क\u{93C} が 한", "שלום محمد ا ي م \u{64E} क\u{93C} が 한"),
            ("marks", "1\u{301} é\u{AD}e\u{AD}\u{301}", "1\u{301} ee"),
            ("latin", "vnivs IVDÆI œconomia Ĳ ｖ 𝐯 w", "unius iudaei oeconomia ii u u w"),
            ("arabic", "أحمد إلى مدرسة آن ٱل ﺃ ﻯ ی ئ", "احمد الي مدرسه ان ال ا ي ي ئ"),
            ("digits", "١٢٣ ۴۵ १२ ๕ ５ 𝟗 ½", "123 45 12 5 5 9  "),
            (
                "hyphens",
                "em-\u{200B}\n\u{FEFF}bank re\u{AD} sults con¬  tract em-\n\u{C}bank a\u{AD}b c- d a－\nb embank-\nment mo¬ \r\n  ney a\u{AD}\nb é\u{AD}\nt well-known 5-\n6 x -\ny a-\n\nb",
                "embank results contract embank ab c- d ab embankment money ab ét well-known 5-\n6 x -\ny a-\n\nb",
            ),
            ("joiners", "می\u{200C}خواهم", "می خواهم"),
            ("marks+latin+hyphens", "Vé-\nritas", "ueritas"),
        ] {
            assert_eq!(folded(folds, text), expected, "{folds} of {text:?}");
        }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let text = "É-\nta ﬁve";
        let found = FoldedText::of("marks+latin+hyphens".parse().unwrap(), Form::Words, text);
        assert_eq!(found.text, "Eta ﬁue");
        assert_eq!(&text[found.origin(0..3)], "É-\nta");
        assert_eq!(&text[found.origin(4..7)], "ﬁ");
        assert_eq!(&text[found.origin(7..9)], "ve");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Without something to fold, folding changes nothing.
        #[test]
        fn what_no_fold_maps_stays(text in "[a-uw-z1 .,…²①Ⓐ™´№ﬁＡßé가한漢カﾞक\u{93C}\u{FE0F}\u{301}]{0,30}") {
            for form in [Form::Words, Form::Characters] {
                let folds = "arabic+digits+hyphens+joiners".parse().unwrap();
                let (found, mut plain) = (FoldedText::of(folds, form, &text), String::new());
                fold_into(folds, form, &text, &mut plain);
                prop_assert_eq!(&plain, &found.text);
                prop_assert_eq!(&found.text, &text);
            }
        }
    }
}
