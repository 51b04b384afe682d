//! Words by dictionary, for scripts that do not separate words.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use crate::scan::table::{Pages, code_at};
use crate::unicode::CharacterKind;

/// Calls `emit` with the byte range of every token of `normal`, a text in NFC and lower case. The tokens are its words;
/// [`each_segment`] cuts each run of [`CharacterKind::Pair`] in a word separately.
pub(crate) fn each_token(normal: &str, mut emit: impl FnMut(Range<usize>)) {
    let mut close = |kind, run: Range<usize>| match kind {
        CharacterKind::Separator => {}
        CharacterKind::Word => emit(run),
        CharacterKind::Pair => each_segment(&normal[run.clone()], |part| emit(run.start + part.start..run.start + part.end)),
    };
    let (source, mut pages) = (normal.as_bytes(), Pages::default());
    let (mut start, mut open, mut at) = (0, CharacterKind::Separator, 0);
    while at < source.len() {
        let (code, length) = code_at(source, at);
        let kind = pages.entry(code).kind();
        if kind != open {
            close(open, start..at);
            (start, open) = (at, kind);
        }
        at += length;
    }
    close(open, start..at);
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
            each_token(normal, |range| tokens.push(&normal[range]));
            assert_eq!(tokens.join("/"), expected);
        }
    }
}
