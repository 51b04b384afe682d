//! Words of a text in its normal form, cut without the scan: with signs beside them, and by dictionary in scripts that do not separate
//! words.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::unicode::CharacterKind;
use crate::units::rules::TokenRules;
use crate::units::signs;
use crate::units::unit::Unit;

/// Calls `emit` with the byte range of every token of `normal`, a text in the form of the rules, for a unit of words. Marks
/// before a word are left out. Ranges overlap where letters are cut into pairs.
pub(crate) fn each_token(rules: TokenRules, normal: &str, mut emit: impl FnMut(Range<usize>)) {
    let (source, mut pages) = (normal.as_bytes(), Pages::of(rules.form()));
    let (mut word, mut at) = (None, 0);
    while at < source.len() {
        // Most text is ASCII, for which the table is not needed.
        let run = source[at..].iter().take_while(|byte| is_ascii_word(**byte)).count();
        if run > 0 {
            word = word.or(Some(at));
            at += run;
            continue;
        }
        let (code, length) = code_at(source, at);
        let flags = if source[at].is_ascii() { 0 } else { pages.entry(code).flags };
        let is_separator = flags & ScanEntry::WORD == 0;
        if !is_separator && (word.is_some() || flags & ScanEntry::MARK == 0) {
            word = word.or(Some(at));
        } else {
            word.take().into_iter().for_each(|start| each_part(rules.unit, normal, start..at, &mut pages, &mut emit));
            if is_separator
                && rules.signs
                && source[at] != b' '
                && let Some(sign) = signs::length(normal, at)
            {
                emit(at..at + sign);
                at += sign;
                continue;
            }
        }
        at += length;
    }
    word.into_iter().for_each(|start| each_part(rules.unit, normal, start..at, &mut pages, &mut emit));
}

/// Whether a byte is a letter, a digit or `_` of ASCII.
pub(crate) fn is_ascii_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Calls `emit` with the byte range of every token of a word: of the word itself in eojeol; otherwise each run of letters of scripts
/// without spaces is cut, and each other run is a token.
pub(crate) fn each_part(unit: Unit, normal: &str, word: Range<usize>, pages: &mut Pages, emit: &mut impl FnMut(Range<usize>)) {
    if unit == Unit::Eojeol || normal.as_bytes()[word.clone()].is_ascii() {
        return emit(word);
    }
    let mut is_pair = |c: char| pages.entry(c.into()).kind() == CharacterKind::Pair;
    let mut chars = normal[word.clone()].char_indices().map(|(at, c)| (word.start + at, c)).peekable();
    while let Some((start, first)) = chars.next() {
        let pairs = is_pair(first);
        let (mut last, mut end, mut alone) = (start, start + first.len_utf8(), true);
        while let Some((at, c)) = chars.next_if(|&(_, c)| is_pair(c) == pairs) {
            let next = at + c.len_utf8();
            if pairs && unit != Unit::Segmented {
                emit(last..next);
            }
            (last, end, alone) = (at, next, false);
        }
        if pairs && unit == Unit::Segmented {
            each_segment(&normal[start..end], |part| emit(start + part.start..start + part.end));
        } else if !pairs || alone {
            emit(start..end);
        }
    }
}

/// Calls `emit` with the byte range of every part of a run of letters. The parts end at the word boundaries of ICU4X. For Chinese
/// and Japanese, Thai, Lao, Khmer and Burmese it uses its dictionaries, and takes the longest entry.
pub(crate) fn each_segment(run: &str, mut emit: impl FnMut(Range<usize>)) {
    static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
        LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));
    let mut start = 0;
    for end in SEGMENTER.segment_str(run).filter(|&end| end > 0) {
        emit(start..end);
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results depend on the dictionaries: if this test changes, so do results, lexicons and headers.
    #[test]
    fn pinned_dictionaries() {
        for (normal, expected) in [
            ("请把自行车停在图书馆门口，谢谢！", "请/把/自行/车/停在/图书/馆/门口/谢谢"),
            ("数据库2号hello世界", "数据/库/2/号/hello/世界"),
            ("吾輩は東京タワーへ行きました。", "吾輩/は/東京/タワー/へ/行き/まし/た"),
            ("วันนี้อากาศดี", "วัน/นี้/อากาศ/ดี"),
            ("ມື້ນີ້ອາກາດດີ", "ມື້ນີ້/ອາກາດ/ດີ"),
            ("ថ្ងៃនេះអាកាសធាតុល្អ", "ថ្ងៃនេះ/អាកាសធាតុ/ល្អ"),
            ("ဒီနေ့ရာသီဥတုကောင်းတယ်", "ဒီ/နေ့/ရာသီဥတု/ကောင်း/တယ်"),
            ("한국어 문장", "한국어/문장"),
            ("", ""),
        ] {
            let mut tokens = vec![];
            each_token(Unit::Segmented.into(), normal, |range| tokens.push(&normal[range]));
            assert_eq!(tokens.join("/"), expected);
        }
    }
}
