//! The rules of the normal form, from ICU4X. They are slow, and the reference for the tables of the scan.

use std::borrow::Cow;

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::CodePointSetData;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};

use crate::normal::Form;
use crate::unicode::category;

const CASES: CaseMapperBorrowed<'static> = CaseMapper::new();
const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();
const NFKC: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();
const NFKD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();

/// Stretches a word in scripts with joined letters.
pub(crate) const TATWEEL: char = '\u{640}';

/// Returns the normal form of a text.
///
/// It is NFKC_Casefold of the canonical decomposition (The Unicode Standard, D147), so that canonically equivalent texts are equal.
/// Some characters are replaced before ([`spaced`]), and tatweel and the parts of the vowels am of Thai and Lao after it.
pub(crate) fn normalise(form: Form, text: &str) -> String {
    let mut mapped = String::with_capacity(text.len());
    for c in NFD.normalize(&prepared(form, text)).chars() {
        fold_into(form, c, &mut mapped);
    }
    composed(&mapped)
}

/// Returns the normal form of a text whose characters are folded: composed, without tatweel, and with the vowels am whole.
pub(crate) fn composed(folded: &str) -> String {
    let composed = NFC.normalize(folded);
    let mut normal = String::with_capacity(composed.len());
    for c in composed.chars() {
        if let Some(vowel) = normal.chars().next_back().and_then(|nikhahit| am(nikhahit, c)) {
            normal.pop();
            normal.push(vowel);
        } else if c != TATWEEL {
            normal.push(c);
        }
    }
    normal
}

/// Returns the text after the first step: for words, with the replacements of [`spaced`].
pub(crate) fn prepared(form: Form, text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_spaced(form, c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match spaced(form, c) {
            Spaced::Same => out.push(c),
            Spaced::Marks => out.extend(NFKD.normalize(c.encode_utf8(&mut [0; 4])).chars().skip(1)),
            Spaced::Space => out.push(' '),
            Spaced::Between => out.extend([' ', c, ' ']),
        }
    }
    Cow::Owned(out)
}

/// What becomes of a character in words before it is folded.
enum Spaced {
    Same,
    /// Only the marks of its decomposition, without their space, remain.
    Marks,
    /// It becomes a space.
    Space,
    /// It is put between spaces.
    Between,
}

/// Returns what becomes of a character, so that a sign which NFKC turns into letters does not join the word beside it.
fn spaced(form: Form, c: char) -> Spaced {
    if c.is_ascii() || !form.is_of_words() {
        return Spaced::Same;
    }
    let decomposed = || NFKD.normalize(c.encode_utf8(&mut [0; 4])).into_owned();
    match c {
        '\u{FC5E}'..='\u{FC63}' | '\u{FE70}'..='\u{FE7E}' if decomposed().starts_with(' ') => Spaced::Marks,
        // The trade mark and service mark signs.
        '\u{2122}' | '\u{2120}' => Spaced::Space,
        // The signs of numero, telephone and facsimile.
        '\u{2116}' | '\u{2121}' | '\u{213B}' => Spaced::Between,
        c if is_other_number(c) => {
            if form.keeps_numbers() {
                Spaced::Same
            } else {
                Spaced::Space
            }
        }
        c if is_circled(c) => Spaced::Between,
        _ if decomposed().strip_prefix(' ').is_some_and(|rest| !rest.is_empty()) => Spaced::Space,
        _ => Spaced::Same,
    }
}

/// Whether a character has General_Category No: superscripts, fractions, circled numbers.
pub(crate) fn is_other_number(c: char) -> bool {
    category(c) == GeneralCategory::OtherNumber
}

/// Whether a character that is no number has a compatibility decomposition with the tag `<circle>`. ICU4X has no tags.
fn is_circled(c: char) -> bool {
    matches!(
        c,
        '\u{24B6}'..='\u{24E9}'
            | '\u{3244}'..='\u{3247}'
            | '\u{3260}'..='\u{327E}'
            | '\u{328A}'..='\u{32B0}'
            | '\u{32D0}'..='\u{32FE}'
            | '\u{1F12B}'..='\u{1F12E}'
            | '\u{1F250}'..='\u{1F251}'
    )
}

/// Whether the first step replaces a character in words.
fn is_spaced(form: Form, c: char) -> bool {
    !matches!(spaced(form, c), Spaced::Same)
}

/// Whether the normal form of a character alone is not what it adds to a longer text: the first step replaces it; or it has tatweel,
/// which is removed last; or it has the iota subscript, which is a mark until it is folded.
pub(crate) fn is_special(form: Form, c: char) -> bool {
    let has_iota = || NFD.normalize(c.encode_utf8(&mut [0; 4])).contains('\u{345}');
    is_spaced(form, c) || has_iota() || folded(form, c).contains(TATWEEL)
}

/// Appends NFKC_Casefold of one character: its compatibility decomposition in folded case, without Default_Ignorable_Code_Point.
pub(crate) fn fold_into(form: Form, c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(if form == Form::Code { c } else { c.to_ascii_lowercase() });
    } else if form.keeps_numbers() && is_other_number(c) {
        out.push(c);
    } else {
        out.push_str(&folded(form, c));
    }
}

/// Returns NFKC_Casefold of one character (UAX #44), for code without the folding of case. The steps are repeated until nothing
/// changes.
fn folded(form: Form, c: char) -> String {
    let mut text = c.to_string();
    loop {
        let case = if form == Form::Code { text.as_str().into() } else { CASES.fold_string(&text) };
        let next: String = NFKC.normalize(&case).chars().filter(|&c| !is_ignorable(c)).collect();
        if next == text {
            return text;
        }
        text = next;
    }
}

/// Whether a character is a Default_Ignorable_Code_Point: it is neither seen nor part of a word.
pub(crate) fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Returns the vowel am of Thai or Lao if its two parts follow each other. NFKC takes it apart.
pub(crate) fn am(nikhahit: char, aa: char) -> Option<char> {
    match (nikhahit, aa) {
        ('\u{E4D}', '\u{E32}') => Some('\u{E33}'),
        ('\u{ECD}', '\u{EB2}') => Some('\u{EB3}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (text, normal) in [
            ("ΟΔΟΣ Σ ς", "οδοσ σ σ"),
            ("İ ẞ ß", "i\u{307} ss ss"),
            ("E\u{301} e\u{AD}\u{301}", "é é"),
            ("T\u{308}", "ẗ"),
            ("α\u{345}\u{301} \u{1FB4}", "άι άι"),
            ("x² ½ ① Ⓐ ™ ´ №", "x       a       no "),
            ("ｶﾞ ﬁ \u{FE76}\u{FE77}", "ガ fi \u{64E}\u{64E}"),
            ("\u{E4D}\u{E32} \u{E33} \u{ECD}\u{EB2}", "\u{E33} \u{E33} \u{EB3}"),
            ("مـر", "مر"),
        ] {
            assert_eq!(normalise(Form::Words, text), normal, "{text:?}");
        }
    }

    #[test]
    fn signs_and_code() {
        for (text, signs, code) in [("x² ½ ①Ⓐ™é №", "x² ½ ① a  é  no ", "x² ½ ①ATMé No"), ("İ ﬁ Ａ\u{AD}", "i\u{307} fi a", "İ fi A")]
        {
            assert_eq!(normalise(Form::Signs, text), signs);
            assert_eq!(normalise(Form::Code, text), code);
        }
    }

    #[test]
    fn characters() {
        for (text, normal) in [("x² ½ ①", "x² ½ ①"), ("Ⓐ™´№", "atm \u{301}no"), ("\u{FE76}", " \u{64E}"), ("ＡＢ", "ab")] {
            assert_eq!(normalise(Form::Characters, text), normal, "{text:?}");
        }
    }

    #[test]
    fn the_normal_form_of_characters_is_stable() {
        for c in '\0'..=char::MAX {
            for form in Form::ALL {
                let once = normalise(form, c.encode_utf8(&mut [0; 4]));
                assert_eq!(normalise(form, &once), once, "{form:?} {c:?} {:x}", u32::from(c));
            }
        }
    }
}
