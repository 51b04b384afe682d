//! A text after its folds, and where each part of it was.

use std::ops::Range;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

use super::{FoldContext, Folding, Folds};
use crate::normal::Form;
use crate::normal::exact::{TATWEEL, is_ignorable, is_other_number, prepared};
use crate::normal::segment::each_segment;

/// A text after its folds.
#[derive(Debug, Default)]
pub(crate) struct FoldedText {
    /// The text, decomposed.
    pub(crate) text: String,
    /// For each character of it, its first byte and the bytes of the original that it stands for.
    origins: Vec<(usize, Range<usize>)>,
}

impl FoldedText {
    /// Returns the bytes of the original for a range of the folded text, which is not empty.
    pub(crate) fn origin(&self, range: Range<usize>) -> Range<usize> {
        let first = self.origins.partition_point(|(at, _)| *at <= range.start).saturating_sub(1);
        let last = self.origins.partition_point(|(at, _)| *at < range.end);
        let origins = self.origins.get(first..last).unwrap_or_default();
        let start = origins.iter().map(|(_, origin)| origin.start).min().unwrap_or(0);
        start..origins.iter().map(|(_, origin)| origin.end).max().unwrap_or(start)
    }

    fn push(&mut self, piece: &str, origin: &Range<usize>) {
        for c in piece.chars() {
            self.origins.push((self.text.len(), origin.clone()));
            self.text.push(c);
        }
    }
}

/// Applies folds to a text, which is decomposed for it as the normal form does it later.
pub(crate) fn fold(folds: Folds, form: Form, text: &str) -> FoldedText {
    let mut folder = Folder { folds, text, folded: FoldedText::default(), base: None, skip: 0 };
    folder.folded.text.reserve(text.len());
    each_segment(form, text, |range| {
        let visible = text[range.clone()].trim_end_matches(is_ignorable).len();
        let (seen, unseen) = (range.start..range.start + visible, range.start + visible..range.end);
        folder.segment(form, seen);
        for (at, c) in text[unseen.clone()].char_indices() {
            let at = unseen.start + at;
            folder.character(c, at..at + c.len_utf8());
        }
    });
    folder.folded
}

struct Folder<'a> {
    folds: Folds,
    text: &'a str,
    folded: FoldedText,
    /// The last character that is no mark and is seen.
    base: Option<char>,
    /// The text before this byte is left out.
    skip: usize,
}

impl Folder<'_> {
    /// Appends a segment without characters at its end that are not seen.
    fn segment(&mut self, form: Form, range: Range<usize>) {
        let segment = &self.text[range.clone()];
        if let [byte] = segment.as_bytes() {
            return self.character(char::from(*byte), range);
        }
        let decomposed = decomposed(&prepared(form, segment));
        if decomposed == segment {
            let of = |(at, c): (usize, char)| (c, range.start + at..range.start + at + c.len_utf8());
            segment.char_indices().map(of).for_each(|(c, origin)| self.character(c, origin));
        } else {
            decomposed.chars().for_each(|c| self.character(c, range.clone()));
        }
    }

    /// Appends a character that stands for the bytes `origin`, after its folds.
    fn character(&mut self, c: char, origin: Range<usize>) {
        if origin.start < self.skip {
            return;
        }
        let context = FoldContext { base: self.base, rest: &self.text[origin.start..] };
        let changed = self.folds.iter().map(|fold| (fold.apply)(context, c)).find(|folding| *folding != Folding::Same);
        match changed {
            None | Some(Folding::Same) => self.folded.push(c.encode_utf8(&mut [0; 4]), &origin),
            Some(Folding::Text(text)) => self.folded.push(text, &origin),
            Some(Folding::Skip(bytes)) => self.skip = origin.start + bytes,
        }
        // Tatweel only stretches the letter before it.
        if c.is_ascii() || !is_mark(c) && !is_ignorable(c) && c != TATWEEL {
            self.base = Some(c);
        }
    }
}

fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
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
        normalise(Form::Words, &fold(folds.parse().unwrap(), Form::Words, text).text)
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
                "a－\nb embank-\nment mo¬ \r\n  ney a\u{AD}\nb é\u{AD}\nt well-known 5-\n6 x -\ny a-\n\nb",
                "ab embankment money ab ét well-known 5-\n6 x -\ny a-\n\nb",
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
        let found = fold("marks+latin+hyphens".parse().unwrap(), Form::Words, text);
        assert_eq!(found.text, "Eta fiue");
        assert_eq!(&text[found.origin(0..3)], "É-\nta");
        assert_eq!(&text[found.origin(4..6)], "ﬁ");
        assert_eq!(&text[found.origin(6..8)], "ve");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Without something to fold, folding changes nothing but the form.
        #[test]
        fn what_no_fold_maps_stays(text in "[a-uw-z1 .,²①Ⓐ™´№ﬁＡß가한漢カﾞक\u{93C}\u{FE0F}]{0,30}") {
            for form in [Form::Words, Form::Characters] {
                let found = fold("arabic+digits+hyphens+joiners".parse().unwrap(), form, &text);
                prop_assert_eq!(normalise(form, &found.text), normalise(form, &text));
            }
        }
    }
}
