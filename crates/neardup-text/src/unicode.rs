//! Properties of characters, from ICU4X. They are the reference for the tables of the scan.

use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalCompositionBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};
use icu_properties::props::{Alphabetic, GeneralCategory, GeneralCategoryGroup, Script, SentenceBreak, WhiteSpace};
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

/// Returns the General_Category of a code point.
pub(crate) fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

/// Whether a code point is a letter (category L).
pub(crate) fn is_letter(c: char) -> bool {
    GeneralCategoryGroup::Letter.contains(category(c))
}

/// Whether a code point is a combining character (category M).
pub(crate) fn is_combining(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(category(c))
}

/// Returns the kind of a code point of a text in its normal form.
pub(crate) fn kind(c: char) -> CharacterKind {
    let word = c == '_'
        || CodePointSetData::new::<Alphabetic>().contains(c)
        || matches!(category(c), GeneralCategory::DecimalNumber | GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark);
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

/// Whether a code point is a mark (Mn or Mc). A mark is part of a word, but begins none.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(category(c), GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark)
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

/// Returns the Sentence_Break property of a code point.
pub(crate) fn sentence_break(c: char) -> SentenceBreak {
    CodePointMapData::<SentenceBreak>::new().get(c)
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
}
