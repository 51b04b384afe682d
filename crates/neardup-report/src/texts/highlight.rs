//! A text with highlighted stretches.

use std::ops::Range;

/// A text, and the stretches of it that are highlighted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightedText<'a> {
    text: &'a str,
    /// In bytes and in order. No stretch begins or ends with white space, and no two overlap.
    spans: Vec<Range<usize>>,
}

impl<'a> HighlightedText<'a> {
    /// Creates a text with highlighted `spans`, half open and in bytes, in any order.
    ///
    /// Overlapping spans become one stretch. White space at the ends of a span is not highlighted. A span that is no stretch of
    /// the text, such as one that cuts a character, is ignored.
    pub fn new(text: &'a str, spans: impl IntoIterator<Item = Range<usize>>) -> HighlightedText<'a> {
        let mut found: Vec<_> = spans.into_iter().filter_map(|span| trimmed(text, span)).collect();
        found.sort_unstable_by_key(|span| span.start);
        let mut spans: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for span in found {
            match spans.last_mut().filter(|last| span.start < last.end) {
                Some(last) => last.end = last.end.max(span.end),
                None => spans.push(span),
            }
        }
        HighlightedText { text, spans }
    }

    /// Returns the whole text.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the text of a range, which begins and ends between characters, in pieces that are highlighted or not. No piece is
    /// empty.
    pub(crate) fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = (bool, &'a str)> {
        let first = self.spans.partition_point(|span| span.end <= range.start);
        let within = self.spans[first..].iter().take_while(move |span| span.start < range.end);
        let mut at = range.start;
        let inside = move |span: &Range<usize>| span.start.max(range.start)..span.end.min(range.end);
        // A piece without highlight comes before each highlighted one, and one more before the end of the range.
        let highlighted = within.map(inside).chain(std::iter::once(range.end..range.end));
        let pieces = highlighted.flat_map(move |highlighted| {
            let dark = at..highlighted.start;
            at = highlighted.end;
            [(false, dark), (true, highlighted)]
        });
        let text = self.text;
        pieces.map(move |(highlighted, piece)| (highlighted, &text[piece])).filter(|(_, piece)| !piece.is_empty())
    }
}

impl<'a> From<&'a str> for HighlightedText<'a> {
    /// Creates a text without highlights.
    fn from(text: &'a str) -> HighlightedText<'a> {
        HighlightedText { text, spans: Vec::new() }
    }
}

/// Returns a span without white space at its ends; `None` if nothing is left.
fn trimmed(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let whole = text.get(span.clone())?;
    let words = whole.trim_start();
    let start = span.start + whole.len() - words.len();
    let end = start + words.trim_end().len();
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the pieces of a range, with highlighted ones in brackets.
    fn shown(text: &str, spans: &[[usize; 2]], range: Range<usize>) -> String {
        let pieces = HighlightedText::new(text, spans.iter().map(|&[start, end]| start..end));
        pieces.pieces(range).map(|(highlighted, piece)| if highlighted { format!("[{piece}]") } else { piece.to_owned() }).collect()
    }

    #[test]
    fn cases() {
        let text = "one two three";
        assert_eq!(shown(text, &[], 0..13), "one two three");
        assert_eq!(shown(text, &[[0, 13]], 0..13), "[one two three]");
        assert_eq!(shown(text, &[[8, 13], [0, 3]], 0..13), "[one] two [three]");
        assert_eq!(shown(text, &[[0, 3], [4, 7]], 2..5), "[e] [t]");
        assert_eq!(shown(text, &[[0, 3], [4, 7]], 3..4), " ");
        assert_eq!(shown(text, &[[0, 13]], 5..5), "");
        assert_eq!(shown(text, &[[3, 8], [3, 4], [9, 99], [7, 2], [14, 15]], 0..13), "one [two] three");
        assert_eq!(shown(text, &[[0, 5], [2, 7]], 0..13), "[one two] three");
        assert_eq!(shown("né", &[[1, 2], [0, 1]], 0..3), "[n]é");
        assert_eq!(shown("", &[[0, 0]], 0..0), "");
    }

    proptest! {
        #[test]
        fn what_is_lit_is_lit(text in "([ab \r\n]|\\PC){0,20}", spans in prop::collection::vec((0usize..40, 0usize..10), 0..5), from in 0usize..40, length in 0usize..40) {
            let floor = |at: usize| text.floor_char_boundary(at);
            let range = floor(from)..floor(from + length);
            let spans: Vec<_> = spans.iter().map(|&(start, length)| start..start + length).collect();
            let whole = |span: &&Range<usize>| text.get((*span).clone()).is_some();
            let dark_end = |span: &Range<usize>, at: usize| text[span.start..at].trim().is_empty() || text[at..span.end].trim().is_empty();
            let expected: Vec<(bool, char)> = text[range.clone()].char_indices().map(|(at, c)| {
                let at = range.start + at;
                let highlighted = |span: &Range<usize>| span.contains(&at) && !(c.is_whitespace() && dark_end(span, at));
                (spans.iter().filter(whole).any(highlighted), c)
            }).collect();
            let highlighted = HighlightedText::new(&text, spans.clone());
            let found: Vec<(bool, char)> = highlighted.pieces(range).flat_map(|(highlighted, piece)| piece.chars().map(move |c| (highlighted, c))).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
