//! A slow, simple tokeniser, which the fast one must equal, and ways to write a text as JSON.

use std::cell::RefCell;
use std::collections::HashMap;

use icu_casemap::CaseMapper;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::props::{Alphabetic, DefaultIgnorableCodePoint, GeneralCategory, Script, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};
use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use neardup_text::{TokenRules, Unit, fingerprint};

fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

fn is_mark(c: char) -> bool {
    [GeneralCategory::NonspacingMark, GeneralCategory::SpacingMark].contains(&category(c))
}

/// Returns a text of words after the first step: signs that must not become letters beside a word are spaces, except numbers that are
/// `kept`.
fn space(text: &str, kept: bool) -> String {
    const CIRCLES: &str = "Ⓐⓩ㉄㉇㉠㉾㊊㊰㋐㋾\u{1F12B}\u{1F12E}\u{1F250}\u{1F251}";
    let circles: Vec<char> = CIRCLES.chars().collect();
    let mut out = String::new();
    for c in text.chars() {
        let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize(c.encode_utf8(&mut [0; 4])).into_owned();
        let marks = decomposed.strip_prefix(' ').filter(|rest| !rest.is_empty());
        match (u32::from(c), marks) {
            (0xFC5E..=0xFC63 | 0xFE70..=0xFE7E, Some(marks)) => out += marks,
            (0x2122 | 0x2120, _) | (_, Some(_)) => out.push(' '),
            _ if category(c) == GeneralCategory::OtherNumber => out.push(if kept { c } else { ' ' }),
            (0x2116 | 0x2121 | 0x213B, _) => out.extend([' ', c, ' ']),
            _ if circles.chunks(2).any(|ends| (ends[0]..=ends[1]).contains(&c)) => out.extend([' ', c, ' ']),
            _ => out.push(c),
        }
    }
    out
}

/// Returns NFKC_Casefold of a character, by its definition in UAX #44.
fn fold(c: char) -> String {
    thread_local!(static KNOWN: RefCell<HashMap<char, String>> = RefCell::default());
    let compute = || {
        let (mut text, ignorable) = (c.to_string(), CodePointSetData::new::<DefaultIgnorableCodePoint>());
        for _ in 0..4 {
            let cased = CaseMapper::new().fold_string(&text).into_owned();
            let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(&cased).into_owned();
            text = composed.chars().filter(|&c| !ignorable.contains(c)).collect();
        }
        text
    };
    KNOWN.with_borrow_mut(|known| known.entry(c).or_insert_with(compute).clone())
}

/// Returns the normal form of a text for a unit, and whether signs are tokens.
pub fn normalise(rules: TokenRules, text: &str) -> String {
    let words = matches!(rules.unit, Unit::Words | Unit::Eojeol | Unit::Segmented);
    let text = if words { space(text, rules.signs) } else { text.to_owned() };
    let parts = DecomposingNormalizerBorrowed::new_nfd().normalize(&text).into_owned();
    let stays = |c| (!words || rules.signs) && category(c) == GeneralCategory::OtherNumber;
    let folded: String = parts.chars().map(|c| if stays(c) { c.to_string() } else { fold(c) }).collect();
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(&folded).into_owned();
    composed.replace('\u{640}', "").replace("\u{E4D}\u{E32}", "\u{E33}").replace("\u{ECD}\u{EB2}", "\u{EB3}")
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

/// Returns where signs are, by the contract: for each character, the number of characters of the sign that begins there.
fn signs(normal: &[char]) -> Vec<usize> {
    let digit = |at: Option<usize>| at.and_then(|at| normal.get(at)).is_some_and(|&c| category(c) == GeneralCategory::DecimalNumber);
    let edge = |at: Option<usize>| {
        digit(at) || at.and_then(|at| normal.get(at)).is_none_or(|&c| CodePointSetData::new::<WhiteSpace>().contains(c))
    };
    let symbols =
        [GeneralCategory::MathSymbol, GeneralCategory::CurrencySymbol, GeneralCategory::ModifierSymbol, GeneralCategory::OtherSymbol];
    let mut found = vec![0; normal.len()];
    let mut at = 0;
    while at < normal.len() {
        let (c, before, after) = (normal[at], at.checked_sub(1), Some(at + 1));
        let run = normal[at..].iter().take_while(|c| ":;=-()".contains(**c)).count();
        let sign = symbols.contains(&category(c)) && !in_word(c)
            || category(c) == GeneralCategory::OtherNumber
            || "#%&*/@\\‰‱٪؉؊′".contains(c)
            || category(c) == GeneralCategory::DashPunctuation && (edge(before) || edge(after))
            || ".,:٫٬".contains(c) && digit(before) && digit(after);
        found[at] = if run > 1 { run } else { usize::from(sign) };
        at += run.max(1);
    }
    found
}

/// Returns the tokens of a text, for units of words and characters.
pub fn tokens(rules: TokenRules, text: &str) -> Vec<String> {
    let normal = normalise(rules, text);
    let unit = rules.unit;
    if rules.signs {
        let letters: Vec<char> = normal.chars().collect();
        let (mut found, mut word) = (vec![], String::new());
        for (at, length) in signs(&letters).into_iter().enumerate() {
            if length == 0 && in_word(letters[at]) {
                word.push(letters[at]);
            } else {
                found.extend(cut(unit, &std::mem::take(&mut word)));
            }
            found.extend((length > 0).then(|| letters[at..at + length].iter().collect()));
        }
        found.extend(cut(unit, &word));
        return found;
    }
    cut(unit, &normal)
}

/// Returns the tokens of a normalised text, without signs.
fn cut(unit: Unit, normal: &str) -> Vec<String> {
    let white = CodePointSetData::new::<WhiteSpace>();
    match unit {
        Unit::Chars => normal.chars().filter(|&c| !white.contains(c)).map(String::from).collect(),
        Unit::Jamo => split_syllables(normal).chars().filter(|&c| !white.contains(c)).map(String::from).collect(),
        Unit::Words | Unit::Eojeol | Unit::Segmented => {
            let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
            let mut tokens = vec![];
            let words = normal.split(|c| !in_word(c)).map(|word| word.trim_start_matches(is_mark));
            for word in words.filter(|word| !word.is_empty()) {
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
pub fn hashes(rules: TokenRules, seed: u64, text: &str) -> Vec<u64> {
    tokens(rules, text).iter().map(|token| fingerprint::token(token.as_bytes(), seed)).collect()
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
