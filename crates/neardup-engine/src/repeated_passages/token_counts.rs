//! Counting: the number of tokens that a cut removes, and the number that are left.
//!
//! The removed texts and the remaining text are tokenised separately. If a gap splits a pair of characters, the pair is a token
//! of neither. A line feed that takes the place of a gap is a token if tokens are bytes.

use crate::job::passage_cuts::{TextGap, without};
use neardup_text::{Text, Tokeniser, Unit};
use std::ops::Range;

/// Returns the number of tokens of each gap, and the number of tokens left in `text`. `places` are the places of the tokens of
/// the whole text. Gaps without tokens are removed from `gaps`: nothing is lost if they stay.
pub fn count(unit: Unit, tokeniser: &mut Tokeniser, text: &str, places: &[Range<usize>], gaps: &mut Vec<TextGap>) -> (Vec<usize>, usize) {
    let mut of = |text: &str| tokeniser.tokens(Text::Plain(text.as_bytes())).len();
    let before = |end: usize| places.partition_point(|token| token.start < end);
    let (mut gone, mut apart) = (Vec::with_capacity(gaps.len()), true);
    gaps.retain(|gap| {
        let stands_apart = unit == Unit::Bytes || stands_apart(text, gap);
        apart &= stands_apart;
        // A text is not tokenised again if its tokens are those of the whole.
        let Range { start, end } = gap.bytes;
        let tokens = if stands_apart { before(end) - before(start) } else { of(&text[start..end]) };
        gone.extend((tokens > 0).then_some(tokens));
        tokens > 0
    });
    let left = if apart {
        let feeds = gaps.iter().filter(|gap| unit == Unit::Bytes && gap.feed).count();
        places.len() - gone.iter().sum::<usize>() + feeds
    } else {
        of(&without(text, gaps.iter().map(|gap| (gap.bytes.clone(), gap.feed))))
    };
    (gone, left)
}

/// Returns whether white space separates a gap from its surroundings, and these from each other once the gap is removed.
fn stands_apart(text: &str, gap: &TextGap) -> bool {
    let (before, inside, behind) = (&text[..gap.bytes.start], &text[gap.bytes.clone()], &text[gap.bytes.end..]);
    parts(before, inside) && parts(inside, behind) && (gap.feed || parts(before, behind))
}

/// Returns whether no token can reach from the end of `left` into `right`, and neither changes the tokens of the other. White
/// space joins with nothing.
fn parts(left: &str, right: &str) -> bool {
    let is_space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    is_space(left.as_bytes().last()) || is_space(right.as_bytes().first())
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_text::places;

    /// Counts the tokens of the bracketed parts of `text`, and those that are left when a line feed takes the place of each part.
    fn count_of(unit: Unit, text: &str) -> (Vec<usize>, usize) {
        let whole = text.replace(['[', ']'], "");
        let at = |bracket: char| text.match_indices(bracket).map(|(at, _)| text[..at].replace(['[', ']'], "").len());
        let mut gaps: Vec<TextGap> = at('[').zip(at(']')).map(|(start, end)| TextGap { bytes: start..end, feed: true }).collect();
        let mut tokeniser = Tokeniser::new(unit, 0);
        let found = count(unit, &mut tokeniser, &whole, &places(unit, &whole), &mut gaps);
        let left = without(&whole, gaps.iter().map(|gap| (gap.bytes.clone(), gap.feed)));
        assert_eq!(found.1, tokeniser.tokens(Text::Plain(left.as_bytes())).len());
        assert_eq!(found.0.len(), gaps.len());
        found
    }

    #[test]
    fn every_text_has_the_tokens_it_has_by_itself() {
        assert_eq!(count_of(Unit::Words, "One. [Two three. ]Four five[ six]"), (vec![2, 1], 3));
        // No white space separates the gaps here.
        assert_eq!(count_of(Unit::Words, "one(two[)three ]four"), (vec![1], 3));
        assert_eq!(count_of(Unit::Words, "一二三[四五]六七八"), (vec![1], 4));
        assert_eq!(count_of(Unit::Jamo, "가[.가] 나"), (vec![3], 4));
        assert_eq!(count_of(Unit::Bytes, "ab[cd] [e]f"), (vec![2, 1], 6));
        assert_eq!(count_of(Unit::Chars, "ab[cd] [e]f"), (vec![2, 1], 3));
    }

    #[test]
    fn a_gap_without_tokens_is_none() {
        assert_eq!(count_of(Unit::Jamo, "가[ ]가[나]"), (vec![2], 4));
    }
}
