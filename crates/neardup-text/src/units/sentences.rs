//! The ends of sentences, by the rules of UAX #29.
//!
//! Few characters can end a sentence. Masks find where one of them may be, 64 bytes at a time, and the rules are applied only
//! there.

use std::ops::Range;

use icu_properties::props::SentenceBreak;

use crate::normal::Form;
use crate::scan::settle::last;
use crate::scan::table::{Pages, code_at};
use crate::simd::{Kernel, Lanes, Level, bytes_at};

/// Calls `emit` with the byte range of every sentence, in order. Together they are the whole text.
pub(crate) fn each_sentence(level: Level, text: &str, mut emit: impl FnMut(Range<usize>)) {
    let source = text.as_bytes();
    let (mut start, mut reader) = (0, SentenceReader { source, at: 0, pages: Pages::of(Form::Characters) });
    loop {
        reader.at = level.run(Terminator { source, from: reader.at });
        if reader.at == source.len() {
            break;
        }
        if let Some(end) = reader.end() {
            emit(start..end);
            start = end;
        }
    }
    if start < source.len() {
        emit(start..source.len());
    }
}

/// Search for the next character, from `from` on, that may end a sentence: a paragraph separator, ATerm or STerm. The found
/// character may be another one. If there is none, the search returns the end of the text.
struct Terminator<'a> {
    source: &'a [u8],
    from: usize,
}

impl Kernel for Terminator<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        let Self { source, from } = self;
        let mut at = from;
        while at < source.len() {
            let mut padded = [0; 65];
            let block = bytes_at(source, at, &mut padded);
            let [this @ .., _] = block;
            let [_, next @ ..] = block;
            let found = terminators(lanes, lanes.load(this), next);
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            at += 64;
        }
        source.len()
    }
}

/// Returns where a terminator may begin. `x` is the block, and `next` is the block one byte later.
#[inline(always)]
fn terminators<L: Lanes>(lanes: L, x: L::Block, next: &[u8; 64]) -> u64 {
    let stops = lanes.eq(x, b'.') | lanes.eq(x, b'!') | lanes.eq(x, b'?') | lanes.between(x, b'\n', b'\r');
    let high = lanes.high(x);
    if high == 0 {
        return stops;
    }
    // No character of Latin, Greek and Cyrillic (U+00C0-057F), kana, Han or Hangul ends a sentence.
    let y = lanes.load(next);
    let kana = lanes.eq(x, 0xE3) & !lanes.eq(y, 0x80);
    let hangul = lanes.eq(x, 0xEA) & lanes.between(y, 0xB0, 0xBF) | lanes.between(x, 0xEB, 0xED);
    let others = lanes.between(x, 0x80, 0xC1) | lanes.between(x, 0xC3, 0xD5) | lanes.between(x, 0xE4, 0xE9);
    stops | high & !(kana | hangul | others)
}

/// Applies the rules at a place in a text.
struct SentenceReader<'a> {
    source: &'a [u8],
    at: usize,
    pages: Pages,
}

impl SentenceReader<'_> {
    /// Returns the end of the sentence if the character here ends one. Afterwards the reader is after that character, and has
    /// passed no other character that may end a sentence.
    fn end(&mut self) -> Option<usize> {
        use SentenceBreak as Class;
        let (terminator, before) = (self.class()?, self.at);
        if is_separator(terminator) {
            return Some(self.paragraph(terminator));
        }
        if !matches!(terminator, Class::ATerm | Class::STerm) {
            self.at += code_at(self.source, self.at).1;
            return None;
        }
        self.step();
        let next = self.class();
        if terminator == Class::ATerm && next == Some(Class::Numeric) {
            return None; // SB6
        }
        if terminator == Class::ATerm && next == Some(Class::Upper) && self.cased_before(before) {
            return None; // SB7
        }
        self.skip(|class| class == Class::Close); // SB9
        self.skip(|class| class == Class::Sp); // SB9, SB10
        match self.class()? {
            class if is_separator(class) => Some(self.paragraph(class)), // SB9, SB10
            Class::SContinue | Class::ATerm | Class::STerm => None,      // SB8a
            _ if terminator == Class::STerm => Some(self.at),            // SB11
            _ => {
                let end = self.at;
                let ends = |class| matches!(class, Class::OLetter | Class::Upper | Class::Lower | Class::ATerm | Class::STerm);
                self.skip(|class| !ends(class) && !is_separator(class));
                (self.class() != Some(Class::Lower)).then_some(end) // SB8, SB11
            }
        }
    }

    /// Returns the end of the paragraph whose separator is here (SB3, SB4).
    fn paragraph(&mut self, separator: SentenceBreak) -> usize {
        self.at += code_at(self.source, self.at).1;
        if separator == SentenceBreak::CR && self.class() == Some(SentenceBreak::LF) {
            self.at += 1;
        }
        self.at
    }

    /// Whether the last character before `place`, ignoring Extend and Format, is Upper or Lower.
    fn cased_before(&mut self, mut place: usize) -> bool {
        while let Some(c) = last(&self.source[..place]) {
            match self.pages.entry(c.into()).sentence {
                SentenceBreak::Extend | SentenceBreak::Format => place -= c.len_utf8(),
                class => return matches!(class, SentenceBreak::Upper | SentenceBreak::Lower),
            }
        }
        false
    }

    /// Returns the class of the character here, or `None` at the end.
    fn class(&mut self) -> Option<SentenceBreak> {
        (self.at < self.source.len()).then(|| self.pages.entry(code_at(self.source, self.at).0).sentence)
    }

    /// Moves to the next character that is neither Extend nor Format (SB5).
    fn step(&mut self) {
        loop {
            self.at += code_at(self.source, self.at).1;
            if !matches!(self.class(), Some(SentenceBreak::Extend | SentenceBreak::Format)) {
                break;
            }
        }
    }

    fn skip(&mut self, which: impl Fn(SentenceBreak) -> bool) {
        while self.class().is_some_and(&which) {
            self.step();
        }
    }
}

/// ParaSep.
fn is_separator(class: SentenceBreak) -> bool {
    matches!(class, SentenceBreak::Sep | SentenceBreak::CR | SentenceBreak::LF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unicode::sentence_break;
    use icu_properties::CodePointMapData;
    use icu_segmenter::SentenceSegmenter;
    use proptest::prelude::*;

    /// Compares with the "neo" segmenter of ICU4X, because the data of its other segmenter are of Unicode 17.
    fn check(text: &str) {
        let ends: Vec<usize> = SentenceSegmenter::new_neo(Default::default()).segment_str(text).filter(|&end| end > 0).collect();
        for level in Level::available() {
            let (mut found, mut start) = (vec![], 0);
            each_sentence(level, text, |range| {
                assert_eq!(range.start, start);
                start = range.end;
                found.push(start);
            });
            assert_eq!(found, ends, "{text:?} on {}", level.name());
        }
    }

    #[test]
    fn the_search_finds_every_terminator_and_passes_over_common_letters() {
        for level in Level::available() {
            let found = |c: char| level.run(Terminator { source: c.to_string().as_bytes(), from: 0 }) == 0;
            for c in '\0'..=char::MAX {
                let class = sentence_break(c);
                let terminator = is_separator(class) || matches!(class, SentenceBreak::ATerm | SentenceBreak::STerm);
                assert!(found(c) || !terminator, "{c:?} on {}", level.name());
            }
            assert!(!" ,aZéßΑωЖы가힣一漢あン".chars().any(found), "{}", level.name());
        }
    }

    #[test]
    fn texts_of_many_scripts() {
        for text in [
            "",
            ".",
            "\n",
            "\r\n\r\n\n\r",
            "It cost 3.50 in the U.S. and more elsewhere. See p. 7 (fig. 2). \"Why?\" he said. 'No!' Really... yes.",
            "We met Dr. Ames at 9 a.m. on Main St. Then (it was late.) we left.\u{301} Ok.\u{AD}\u{301} )\u{301} \u{301}Go",
            "그는 갔다.그녀도 갔다. 정말? 응! 3.5점이다. \"좋다.\" 라고 했다...",
            "今天下雨。我们没有出去！真的吗？“好的。”他说。１．５倍，Ａ．Ｂ．",
            "雨だ。「帰ろう。」と言った．猫ﾃﾞｽ｡はい",
            "वह आया। वह गया॥ क्या? १.५ है।",
            "هل جاء؟ نعم۔ لا. ثم ذهب؟!",
            "ሰላም። እንዴት፧ ខ្ញុំ៖ ទៅ។ ပြီ။ ပါ၊",
            "one\u{85}two\u{2028}three\u{2029}\u{301}four.\u{2029}five?\u{2028} six",
            "Tiếng Việt. Được. Ấm ắp… ‼⁇ ok",
        ] {
            check(text);
            for shift in 55..70 {
                check(&format!("{}{text} {text}", "a".repeat(shift)));
            }
        }
    }

    /// Characters of every class, rare classes as often as common ones.
    fn hostile() -> impl Strategy<Value = String> {
        let mut by_class: Vec<(SentenceBreak, Vec<char>)> = vec![];
        for range in CodePointMapData::<SentenceBreak>::new().iter_ranges() {
            let i = by_class.iter().position(|(class, _)| *class == range.value).unwrap_or(by_class.len());
            if i == by_class.len() {
                by_class.push((range.value, vec![]));
            }
            by_class[i].1.extend(range.range.step_by(7).filter_map(char::from_u32));
        }
        assert_eq!(by_class.len(), 15);
        let any_class = prop::sample::select(by_class).prop_flat_map(|(_, chars)| prop::sample::select(chars));
        let common = prop::sample::select(".!?aAb1,;) \"'\n\r\u{301}\u{AD}\u{200D}。！．।।가漢\u{2028}-".chars().collect::<Vec<_>>());
        prop::collection::vec(prop_oneof![any_class, common], 0..80).prop_map(String::from_iter)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn hostile_strings(text in hostile()) {
            check(&text);
        }

        #[test]
        fn any_strings(text in any::<String>()) {
            check(&text);
        }
    }
}
