//! Cuts text into tokens, one character after the other: slow, but easy to compare with the definition.

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_locale_core::LanguageIdentifier;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{Alphabetic, GeneralCategory, Script, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData, CodePointSetDataBorrowed};

/// The definition of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// docs/reference/contract.md: NFC, lower case, marks inside words, pairs in scripts that write no spaces.
    Contract,
    /// Maximal runs of alphanumerics and `_` in the lower-cased text.
    Alnum,
}

/// The tokens of shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Words.
    Words,
    /// Code points that are not white space.
    Chars,
}

/// Cuts texts into tokens.
pub struct Tokeniser {
    rule: Rule,
    unit: Unit,
    nfc: ComposingNormalizerBorrowed<'static>,
    case: CaseMapperBorrowed<'static>,
    white: CodePointSetDataBorrowed<'static>,
    /// The kind of each code point, computed once.
    kinds: Vec<Kind>,
}

/// Properties of a character that the contract's words depend on.
#[derive(Clone, Copy, Default)]
struct Kind {
    is_in_words: bool,
    is_in_pairs: bool,
}

impl Tokeniser {
    /// Creates a tokeniser with the Unicode data of the ICU4X crates.
    pub fn new(rule: Rule, unit: Unit) -> Self {
        Self {
            rule,
            unit,
            nfc: ComposingNormalizerBorrowed::new_nfc(),
            case: CaseMapper::new(),
            white: CodePointSetData::new::<WhiteSpace>(),
            kinds: kinds(),
        }
    }

    /// Returns the tokens of a text in order, with repeats.
    pub fn tokens(&mut self, text: &str) -> Vec<String> {
        let text = match self.rule {
            Rule::Contract => self.case.lowercase_to_string(&self.nfc.normalize(text), &LanguageIdentifier::UNKNOWN).into_owned(),
            Rule::Alnum => text.to_lowercase(),
        };
        match (self.unit, self.rule) {
            (Unit::Chars, _) => text.chars().filter(|&c| !self.white.contains(c)).map(String::from).collect(),
            (Unit::Words, Rule::Alnum) => {
                let pieces = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                pieces.filter(|piece| !piece.is_empty()).map(String::from).collect()
            }
            (Unit::Words, Rule::Contract) => {
                let mut tokens = Vec::new();
                for word in text.split(|c| !self.in_word(c)).filter(|word| !word.is_empty()) {
                    self.split_word(word, &mut tokens);
                }
                tokens
            }
        }
    }

    fn in_word(&self, c: char) -> bool {
        self.kinds[c as usize].is_in_words
    }

    fn in_pairs(&self, c: char) -> bool {
        self.kinds[c as usize].is_in_pairs
    }

    fn split_word(&self, word: &str, tokens: &mut Vec<String>) {
        let characters: Vec<char> = word.chars().collect();
        for run in characters.chunk_by(|&a, &b| self.in_pairs(a) == self.in_pairs(b)) {
            if self.in_pairs(run[0]) && run.len() > 1 {
                tokens.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
            } else {
                tokens.push(run.iter().collect());
            }
        }
    }
}

/// Returns the kind of each code point in order; surrogates have neither property.
fn kinds() -> Vec<Kind> {
    let alphabetic = CodePointSetData::new::<Alphabetic>();
    let category = CodePointMapData::<GeneralCategory>::new();
    let script = CodePointMapData::<Script>::new();
    let in_words = [GeneralCategory::DecimalNumber, GeneralCategory::NonspacingMark, GeneralCategory::SpacingMark];
    let in_pairs = [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];
    (0..=u32::from(char::MAX))
        .map(|code| {
            char::from_u32(code).map_or_else(Kind::default, |c| Kind {
                is_in_words: c == '_' || alphabetic.contains(c) || in_words.contains(&category.get(c)),
                is_in_pairs: c == '\u{30FC}' || c == '\u{FF70}' || in_pairs.contains(&script.get(c)),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(rule: Rule, unit: Unit, text: &str) -> Vec<String> {
        Tokeniser::new(rule, unit).tokens(text)
    }

    #[test]
    fn words_of_the_contract() {
        let cases: [(&str, &[&str]); 11] = [
            ("The cat's 2nd snake_case!", &["the", "cat", "s", "2nd", "snake_case"]),
            ("오늘은 날씨가 좋다.", &["오늘은", "날씨가", "좋다"]),
            ("天気がいい", &["天気", "気が", "がい", "いい"]),
            ("iPhone手机 8月", &["iphone", "手机", "8", "月"]),
            ("データー", &["デー", "ータ", "ター"]),
            ("सुंदर हिन्दी", &["सुंदर", "हिन्दी"]),
            ("שָׁלוֹם", &["ש\u{5b8}\u{5c1}לו\u{5b9}ם"]),
            ("ΟΔΟΣ ΟΔΟΣ", &["οδος", "οδος"]),
            ("İ", &["i\u{307}"]),
            ("e\u{301}te\u{301}", &["été"]),
            (" \u{2028}—☂½ ", &[]),
        ];
        for (text, tokens) in cases {
            assert_eq!(cut(Rule::Contract, Unit::Words, text), tokens, "{text}");
        }
    }

    #[test]
    fn words_of_other_tools() {
        assert_eq!(cut(Rule::Alnum, Unit::Words, "A_b हि ½ 天気"), ["a_b", "हि", "½", "天気"]);
    }

    #[test]
    fn characters_exclude_white_space() {
        assert_eq!(cut(Rule::Contract, Unit::Chars, "A\u{3000}b\u{85}\n가!"), ["a", "b", "가", "!"]);
    }
}
