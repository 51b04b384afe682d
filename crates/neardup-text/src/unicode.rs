//! The exact and slow Unicode rules, from ICU4X. They are the reference for the tables of the scan.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use icu_casemap::CaseMapper;
use icu_locale_core::LanguageIdentifier;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalCompositionBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};
use icu_properties::props::{Alphabetic, CaseIgnorable, Cased, GeneralCategory, Script, SentenceBreak, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Unicode version of all rules in this crate: normalisation, case, classes, scripts and sentences.
pub const UNICODE_VERSION: &str = icu_properties_data::unicode_tag!();

/// Role of a code point in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharacterKind {
    /// It separates words.
    Separator,
    /// It is part of a word: Alphabetic, Nd, Mn, Mc or `_`.
    Word,
    /// It is part of a word in a script written without spaces, which is cut into overlapping pairs.
    Pair,
}

/// Returns the kind of a code point of normalised, lower-cased text.
pub(crate) fn kind(c: char) -> CharacterKind {
    let word = c == '_'
        || CodePointSetData::new::<Alphabetic>().contains(c)
        || matches!(
            CodePointMapData::<GeneralCategory>::new().get(c),
            GeneralCategory::DecimalNumber | GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark
        );
    if !word {
        return CharacterKind::Separator;
    }
    // The prolonged sound marks have Script=Common: Hiragana and Katakana share them.
    let pair = matches!(c, '\u{30FC}' | '\u{FF70}')
        || matches!(
            CodePointMapData::<Script>::new().get(c),
            Script::Han | Script::Hiragana | Script::Katakana | Script::Thai | Script::Lao | Script::Khmer | Script::Myanmar
        );
    if pair { CharacterKind::Pair } else { CharacterKind::Word }
}

/// Whether a code point has the script Hangul.
pub(crate) fn is_hangul(c: char) -> bool {
    CodePointMapData::<Script>::new().get(c) == Script::Hangul
}

/// Whether a code point has the property White_Space.
pub(crate) fn is_white(c: char) -> bool {
    match c {
        '\0'..='\x7F' => matches!(c, '\t'..='\r' | ' '),
        // The last is the ideographic space.
        '\u{3001}'.. => false,
        _ => CodePointSetData::new::<WhiteSpace>().contains(c),
    }
}

/// Whether a code point has the property Case_Ignorable.
pub(crate) fn is_case_ignorable(c: char) -> bool {
    CodePointSetData::new::<CaseIgnorable>().contains(c)
}

/// Whether a code point has the property Cased.
pub(crate) fn is_cased(c: char) -> bool {
    CodePointSetData::new::<Cased>().contains(c)
}

/// Returns the Sentence_Break property of a code point.
pub(crate) fn sentence_break(c: char) -> SentenceBreak {
    CodePointMapData::<SentenceBreak>::new().get(c)
}

/// Returns the text in Normalization Form C.
pub(crate) fn compose(text: &str) -> Cow<'_, str> {
    const { ComposingNormalizerBorrowed::new_nfc() }.normalize(text)
}

/// Returns the text in lower case, by the full mapping without a language, including the final sigma.
pub(crate) fn lower(text: &str) -> Cow<'_, str> {
    const { CaseMapper::new() }.lowercase_to_string(text, &LanguageIdentifier::UNKNOWN)
}

/// Returns the text as it is tokenised: in NFC, then in lower case.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    match compose(text) {
        Cow::Borrowed(text) => lower(text),
        Cow::Owned(text) => Cow::Owned(lower(&text).into_owned()),
    }
}

/// Returns the canonical combining class, which is 0 for a starter.
pub(crate) fn combining_class(c: char) -> u8 {
    const { CanonicalCombiningClassMapBorrowed::new() }.get_u8(c)
}

/// Returns one step of the canonical decomposition.
pub(crate) fn decompose(c: char) -> Decomposed {
    const { CanonicalDecompositionBorrowed::new() }.decompose(c)
}

/// Returns the character to which two characters compose, if they do.
pub(crate) fn compose_two(first: char, second: char) -> Option<char> {
    const { CanonicalCompositionBorrowed::new() }.compose(first, second)
}

/// Whether some character composes with a following `c`, or with its first part (NFC_Quick_Check=Maybe).
pub(crate) fn joins_backwards(c: char) -> bool {
    /// Second characters of all compositions. Those of Hangul are arithmetic, so they are added as ranges.
    static SECONDS: LazyLock<HashSet<char>> = LazyLock::new(|| {
        let assigned = CodePointMapData::<GeneralCategory>::new()
            .iter_ranges()
            .filter(|range| !matches!(range.value, GeneralCategory::Unassigned | GeneralCategory::PrivateUse));
        let hangul = '\u{AC00}'..='\u{D7A3}';
        let active = assigned.flat_map(|range| range.range).filter_map(char::from_u32).filter(|c| !hangul.contains(c));
        let seconds = active.filter_map(|c| match decompose(c) {
            Decomposed::Expansion(first, second) if compose_two(first, second) == Some(c) => Some(second),
            _ => None,
        });
        seconds.chain('\u{1161}'..='\u{1175}').chain('\u{11A8}'..='\u{11C2}').collect()
    });
    SECONDS.contains(&first_part(c))
}

/// Whether normalisation never reaches across the place before `c`.
pub(crate) fn starts_segment(c: char) -> bool {
    combining_class(first_part(c)) == 0 && !joins_backwards(c)
}

/// Returns the first character of the full canonical decomposition.
fn first_part(c: char) -> char {
    match decompose(c) {
        Decomposed::Singleton(first) | Decomposed::Expansion(first, _) => first_part(first),
        Decomposed::Default => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_data_is_of_one_version() {
        assert_eq!(UNICODE_VERSION, "18.0.0");
        assert_eq!(UNICODE_VERSION, icu_casemap_data::unicode_tag!());
        assert_eq!(UNICODE_VERSION, icu_normalizer_data::unicode_tag!());
        assert_eq!(UNICODE_VERSION, icu_segmenter_data::unicode_tag!());
    }

    #[test]
    fn kinds() {
        for c in ['a', 'é', '7', '٣', '_', 'ー', '한', '\u{93C}', 'ⓐ'] {
            assert_ne!(kind(c), CharacterKind::Separator, "{c}");
        }
        for c in [' ', '.', '-', '‿', '\u{200D}', '😀', '·', '½'] {
            assert_eq!(kind(c), CharacterKind::Separator, "{c}");
        }
        for c in ['字', 'あ', 'カ', 'ー', 'ｰ', 'ก', '๑', 'ກ', 'ក', 'က'] {
            assert_eq!(kind(c), CharacterKind::Pair, "{c}");
        }
    }

    #[test]
    fn white_space() {
        let property = CodePointSetData::new::<WhiteSpace>();
        assert!(('\0'..=char::MAX).all(|c| is_white(c) == property.contains(c)));
    }

    /// Checks by NFC itself every character that takes part in a composition, after every character that can begin one.
    #[test]
    fn what_starts_a_segment_leaves_alone_what_stands_before() {
        let parts = |c| match decompose(c) {
            Decomposed::Expansion(first, second) => vec![c, first, second],
            Decomposed::Singleton(other) => vec![c, other],
            Decomposed::Default => vec![],
        };
        let hangul = ['\u{1100}', '\u{1161}', '\u{11A8}', '가', '각', '힣'];
        let syllables = '가'..='힣';
        let composing: HashSet<char> = ('\0'..=char::MAX).filter(|c| !syllables.contains(c)).flat_map(parts).chain(hangul).collect();
        let firsts: Vec<char> = composing.iter().copied().filter(|&c| composing.iter().any(|&d| compose_two(c, d).is_some())).collect();
        assert!(firsts.len() > 350 && composing.len() > 2500, "{} of {}", firsts.len(), composing.len());
        let mut joining = 0;
        for &c in &composing {
            let joins =
                |&first: &char| *compose(&format!("{first}{c}")) != format!("{}{}", compose(&first.to_string()), compose(&c.to_string()));
            match firsts.iter().find(|first| joins(first)) {
                Some(first) => assert!(!starts_segment(c), "{first:?} with {c:?}"),
                // Marks may be reordered, which a single character before them need not show.
                None => assert!(!joins_backwards(c) || combining_class(c) != 0, "{c:?}"),
            }
            joining += usize::from(joins_backwards(c));
        }
        assert!(joining > 50, "{joining}");
    }

    #[test]
    fn normal_form() {
        assert_eq!(normalise("ΟΔΟΣ Σ"), "οδος σ");
        assert_eq!(normalise("İ"), "i\u{307}");
        assert_eq!(normalise("STRASSE ẞ ß"), "strasse ß ß");
        assert_eq!(normalise("E\u{301}"), "é");
    }
}
