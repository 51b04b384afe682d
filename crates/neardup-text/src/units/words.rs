//! Words of a text in its normal form, cut without the scan: with signs beside them, and by dictionary in scripts that do not separate
//! words.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::unicode::{CharacterKind, kind};
use crate::units::rules::TokenRules;
use crate::units::signs;
use crate::units::unit::Unit;

/// Calls `emit` with the byte range of every token of `normal`, a text in the form of the rules, for a unit of words. Marks
/// before a word are left out. Ranges overlap where letters are cut into pairs.
pub(crate) fn each_token(rules: TokenRules, normal: &str, mut emit: impl FnMut(Range<usize>)) {
    let (source, mut pages) = (normal.as_bytes(), Pages::of(rules.form()));
    let (mut word, mut at) = (None, 0);
    while at < source.len() {
        let (code, length) = code_at(source, at);
        let entry = pages.entry(code);
        let is_separator = entry.kind() == CharacterKind::Separator;
        if !is_separator && (word.is_some() || entry.flags & ScanEntry::MARK == 0) {
            word = word.or(Some(at));
        } else {
            word.take().into_iter().for_each(|start| each_part(rules.unit, normal, start..at, &mut emit));
            if is_separator
                && rules.signs
                && let Some(sign) = signs::length(normal, at)
            {
                emit(at..at + sign);
                at += sign;
                continue;
            }
        }
        at += length;
    }
    word.into_iter().for_each(|start| each_part(rules.unit, normal, start..at, &mut emit));
}

/// Calls `emit` with the byte range of every token of a word: of the word itself in eojeol; otherwise each run of letters of scripts
/// without spaces is cut, and each other run is a token.
pub(crate) fn each_part(unit: Unit, normal: &str, word: Range<usize>, emit: &mut impl FnMut(Range<usize>)) {
    let is_plain = normal.as_bytes()[word.clone()].is_ascii();
    if is_plain || unit == Unit::Eojeol {
        return emit(word);
    }
    let letters: Vec<(Range<usize>, bool)> = normal[word.clone()]
        .char_indices()
        .map(|(at, c)| (word.start + at..word.start + at + c.len_utf8(), kind(c) == CharacterKind::Pair))
        .collect();
    for run in letters.chunk_by(|one, next| one.1 == next.1) {
        let range = run[0].0.start..run[run.len() - 1].0.end;
        match run {
            [(_, false), ..] | [_] => emit(range),
            _ if unit == Unit::Segmented => {
                each_segment(&normal[range.clone()], |part| emit(range.start + part.start..range.start + part.end))
            }
            _ => run.windows(2).for_each(|two| emit(two[0].0.start..two[1].0.end)),
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
