//! A slow, simple tokeniser, which the fast one must equal, and ways to write a text as JSON.

use icu_casemap::CaseMapper;
use icu_locale_core::LanguageIdentifier;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::props::{Alphabetic, GeneralCategory, Script, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};
use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use neardup_text::{Unit, fingerprint};

/// Returns the text in NFC and lower case.
pub fn normalise(text: &str) -> String {
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
    CaseMapper::new().lowercase_to_string(&composed, &LanguageIdentifier::UNKNOWN).into_owned()
}

/// Returns the text with only its Hangul syllables in NFD.
pub fn split_syllables(text: &str) -> String {
    let nfd = DecomposingNormalizerBorrowed::new_nfd();
    text.chars().map(|c| if ('가'..='힣').contains(&c) { nfd.normalize(&c.to_string()).into_owned() } else { c.into() }).collect()
}

fn in_word(c: char) -> bool {
    c == '_'
        || CodePointSetData::new::<Alphabetic>().contains(c)
        || [GeneralCategory::DecimalNumber, GeneralCategory::NonspacingMark, GeneralCategory::SpacingMark]
            .contains(&CodePointMapData::<GeneralCategory>::new().get(c))
}

fn in_pairs(c: char) -> bool {
    let scripts = [Script::Han, Script::Hiragana, Script::Katakana, Script::Thai, Script::Lao, Script::Khmer, Script::Myanmar];
    c == '\u{30FC}' || c == '\u{FF70}' || scripts.contains(&CodePointMapData::<Script>::new().get(c))
}

/// Returns the kind of run that a character of a word belongs to, for search terms.
pub fn search_run(c: char) -> &'static str {
    match CodePointMapData::<Script>::new().get(c) {
        Script::Hangul => "hangul",
        _ if in_pairs(c) => "unspaced",
        _ => "whole",
    }
}

/// Returns the tokens of a text, for units of words and characters.
pub fn tokens(unit: Unit, text: &str) -> Vec<String> {
    let normal = normalise(text);
    let white = CodePointSetData::new::<WhiteSpace>();
    match unit {
        Unit::Chars => normal.chars().filter(|&c| !white.contains(c)).map(String::from).collect(),
        Unit::Jamo => split_syllables(&normal).chars().filter(|&c| !white.contains(c)).map(String::from).collect(),
        Unit::Words | Unit::Eojeol | Unit::Segmented => {
            let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
            let mut tokens = vec![];
            for word in normal.split(|c| !in_word(c)).filter(|word| !word.is_empty()) {
                if unit == Unit::Eojeol {
                    tokens.push(word.to_owned());
                    continue;
                }
                let letters: Vec<char> = word.chars().collect();
                for run in letters.chunk_by(|&a, &b| in_pairs(a) == in_pairs(b)) {
                    if in_pairs(run[0]) && unit == Unit::Segmented {
                        let run: String = run.iter().collect();
                        let ends: Vec<usize> = segmenter.segment_str(&run).collect();
                        tokens.extend(ends.windows(2).map(|two| run[two[0]..two[1]].to_owned()));
                    } else if in_pairs(run[0]) && run.len() > 1 {
                        tokens.extend(run.windows(2).map(|two| two.iter().collect::<String>()));
                    } else {
                        tokens.push(run.iter().collect());
                    }
                }
            }
            tokens
        }
        _ => panic!("no oracle for {unit}"),
    }
}

/// Returns the hashes of the tokens.
pub fn hashes(unit: Unit, seed: u64, text: &str) -> Vec<u64> {
    tokens(unit, text).iter().map(|token| fingerprint::token(token.as_bytes(), seed)).collect()
}

/// How to write a text inside the quotes of a JSON string. Characters that must be escaped always are.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// Escapes only what must be escaped.
    Raw,
    /// Escapes all characters except ASCII, as Python does.
    Ascii,
    /// Escapes every character.
    All,
    /// Writes each character in a random way; the number is the seed.
    Mixed(u64),
}

/// Returns the content of a JSON string for a text.
pub fn json(text: &str, style: Style) -> String {
    let mut state = if let Style::Mixed(seed) = style { seed } else { 0 };
    let mut out = String::new();
    for c in text.chars() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = (state >> 33) % 4;
        let short = match c {
            '"' | '\\' | '/' => Some(c),
            '\n' => Some('n'),
            '\t' => Some('t'),
            '\r' => Some('r'),
            '\u{8}' => Some('b'),
            '\u{c}' => Some('f'),
            _ => None,
        };
        let must = c < ' ' || c == '"' || c == '\\';
        let code = match style {
            Style::Raw => must && short.is_none(),
            Style::Ascii => !c.is_ascii() || must && short.is_none(),
            Style::All => true,
            Style::Mixed(_) => draw == 0 || must && short.is_none(),
        };
        match short {
            _ if code => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out += &if draw % 2 == 0 { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") };
                }
            }
            Some(letter) if must || draw == 1 => out.extend(['\\', letter]),
            _ => out.push(c),
        }
    }
    out
}
