//! Cutting: which parts of the repeated passages are removed, and what remains of a text.

use crate::{Error, Result};
use neardup_core::repeated_passages::cut::choose;
use neardup_text::{Unit, tiles};
use std::ops::Range;
use std::str::FromStr;

/// The pieces into which texts are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageUnit {
    /// Sentences by UAX #29, which end at line ends, too.
    Sentences,
    /// Lines.
    Lines,
    /// Tokens: everything that can be removed.
    Tokens,
}

impl PassageUnit {
    /// Returns its name in options.
    pub fn name(self) -> &'static str {
        match self {
            PassageUnit::Sentences => "sentences",
            PassageUnit::Lines => "lines",
            PassageUnit::Tokens => "tokens",
        }
    }

    /// Returns the unit of its pieces; `None` for single tokens.
    pub(crate) fn unit(self) -> Option<Unit> {
        match self {
            PassageUnit::Sentences => Some(Unit::Sentences),
            PassageUnit::Lines => Some(Unit::Lines),
            PassageUnit::Tokens => None,
        }
    }
}

impl FromStr for PassageUnit {
    type Err = Error;

    fn from_str(name: &str) -> Result<PassageUnit> {
        let all = [PassageUnit::Sentences, PassageUnit::Lines, PassageUnit::Tokens];
        let found = all.into_iter().find(|cut| cut.name() == name);
        found.ok_or_else(|| Error::Usage(format!("cut is \"{name}\"; allowed are sentences, lines, tokens")))
    }
}

/// How the repeated passages of a corpus are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageCuts {
    /// The pieces into which texts are cut.
    pub cut: PassageUnit,
    /// A cut document with fewer tokens left is removed as a whole, unless it contains the original of something that is cut
    /// elsewhere.
    pub least: usize,
}

/// A part of a text that is removed, in whole code points, and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextGap {
    /// Its bytes.
    pub bytes: Range<usize>,
    /// Whether a line feed replaces it, so that separate lines or tokens stay separate.
    pub feed: bool,
}

/// The parts of a text that occur at an earlier place, and those that stay all the same: ranges of tokens, in order.
#[derive(Default)]
pub struct RepeatedRanges {
    /// Passages that occur at an earlier place.
    pub passages: Vec<Range<usize>>,
    /// Pieces that are copies of earlier ones.
    pub copies: Vec<Range<usize>>,
    /// Ranges that stay.
    pub stays: Vec<Range<usize>>,
}

/// Returns the parts of `text` that are removed.
pub fn gaps(cut: PassageUnit, text: &str, tokens: &[Range<usize>], repeated: &RepeatedRanges) -> Vec<TextGap> {
    if repeated.passages.is_empty() {
        return Vec::new();
    }
    let mut gaps = match cut.unit() {
        None => token_gaps(text, tokens, repeated),
        Some(unit) => tile_gaps(unit, text, tokens, repeated),
    };
    for gap in &mut gaps {
        gap.feed = needs_feed(cut, text, &gap.bytes);
    }
    gaps
}

/// Returns the sentences or lines of a text, as bytes including white space, and as ranges of `tokens`.
pub(crate) fn pieces(unit: Unit, text: &str, tokens: &[Range<usize>]) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let tiles = tiles(unit, text);
    let mut at = 0;
    let mut pieces: Vec<Range<usize>> = Vec::with_capacity(tiles.len());
    for tile in &tiles {
        let start = at;
        // A token that reaches over the end belongs to the piece in which it begins.
        while tokens.get(at).is_some_and(|token| token.start < tile.end) {
            at += 1;
        }
        pieces.push(start..at);
    }
    (tiles, pieces)
}

fn tile_gaps(unit: Unit, text: &str, tokens: &[Range<usize>], repeated: &RepeatedRanges) -> Vec<TextGap> {
    let (tiles, pieces) = pieces(unit, text, tokens);
    let goes = choose(&pieces, &repeated.passages, &repeated.copies, &repeated.stays);
    runs(&goes).map(|run| TextGap { bytes: tiles[run.start].start..tiles[run.end - 1].end, feed: false }).collect()
}

fn token_gaps(text: &str, tokens: &[Range<usize>], repeated: &RepeatedRanges) -> Vec<TextGap> {
    let pieces: Vec<Range<usize>> = (0..tokens.len()).map(|at| at..at + 1).collect();
    let goes = choose(&pieces, &repeated.passages, &repeated.copies, &repeated.stays);
    let gap = |run: Range<usize>| {
        // Pairs of characters overlap their neighbours, and a code point may contain several tokens. Bytes that also belong to
        // a token that stays are kept.
        let before = tokens[..run.start].last().map_or(0, |token| token.end);
        let behind = tokens.get(run.end).map_or(text.len(), |token| token.start);
        let start = text.ceil_char_boundary(tokens[run.start].start.max(before));
        let end = text.floor_char_boundary(tokens[run.end - 1].end.min(behind));
        (start < end).then_some(TextGap { bytes: start..end, feed: false })
    };
    runs(&goes).filter_map(gap).collect()
}

/// Returns the runs of pieces that are removed.
fn runs(goes: &[bool]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += goes[at..].iter().position(|&goes| goes)?;
        let start = at;
        at += goes[at..].iter().take_while(|&&goes| goes).count();
        Some(start..at)
    })
}

/// Whether a line feed must replace a gap. Lines that the gap separated stay separate, and so do tokens without white space
/// between them.
fn needs_feed(cut: PassageUnit, text: &str, gap: &Range<usize>) -> bool {
    let (Some(left), Some(right)) = (text[..gap.start].chars().next_back(), text[gap.end..].chars().next()) else { return false };
    let parts_lines = text[gap.clone()].contains('\n') && left != '\n' && right != '\n';
    parts_lines || cut == PassageUnit::Tokens && !left.is_whitespace() && !right.is_whitespace()
}

/// Returns the text without its gaps. These are in order: the bytes to remove, and whether a line feed replaces them.
pub fn without(text: &str, gaps: impl Iterator<Item = (Range<usize>, bool)>) -> String {
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for (gap, feed) in gaps {
        left.push_str(&text[from..gap.start]);
        if feed {
            left.push('\n');
        }
        from = gap.end;
    }
    left.push_str(&text[from..]);
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_text::places;

    /// Returns what is left of a text when the tokens of `passage` are repeated.
    fn cut(cut: PassageUnit, text: &str, passage: Range<usize>) -> String {
        let tokens = places(Unit::Words, text);
        let gaps = gaps(cut, text, &tokens, &RepeatedRanges { passages: vec![passage], ..RepeatedRanges::default() });
        without(text, gaps.into_iter().map(|gap| (gap.bytes, gap.feed)))
    }

    #[test]
    fn sentences_and_lines_go_whole() {
        let text = "It rains. We stay in, as ever. The sun\ncomes out. All go.\n";
        assert_eq!(cut(PassageUnit::Sentences, text, 1..8), "It rains. The sun\ncomes out. All go.\n");
        assert_eq!(cut(PassageUnit::Sentences, text, 3..11), "It rains. We stay in, as ever. \nAll go.\n");
        assert_eq!(cut(PassageUnit::Sentences, text, 2..9), "It rains. \ncomes out. All go.\n");
        assert_eq!(cut(PassageUnit::Lines, text, 0..11), "comes out. All go.\n");
        assert_eq!(cut(PassageUnit::Lines, text, 1..13), text.replace("comes out. All go.\n", ""));
        assert_eq!(cut(PassageUnit::Tokens, text, 1..3), "It  stay in, as ever. The sun\ncomes out. All go.\n");
    }

    #[test]
    fn what_stood_on_two_lines_stays_there() {
        assert_eq!(cut(PassageUnit::Sentences, "One. Two three.\nFour.", 1..3), "One. \nFour.");
        assert_eq!(cut(PassageUnit::Lines, "one\n\ntwo three\n\n---\nfour five\n\nsix", 1..5), "one\n\n\nsix");
        assert_eq!(cut(PassageUnit::Sentences, "One.\nTwo.\nThree.", 0..3), "");
    }

    #[test]
    fn scripts_without_spaces_are_cut_between_characters() {
        let text = "今天下雨。我们没有出去。明天再说。";
        assert_eq!(cut(PassageUnit::Sentences, text, 3..8), "今天下雨。明天再说。");
        // The outer characters of the pairs in the middle belong to pairs that stay.
        assert_eq!(cut(PassageUnit::Tokens, "一二三四五六七八", 2..5), "一二三\n六七八");
        assert_eq!(cut(PassageUnit::Tokens, "e\u{301}te\u{301} 좋은 👩‍👧 날", 1..2), "e\u{301}te\u{301}  👩‍👧 날");
    }
}
