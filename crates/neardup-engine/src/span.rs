//! Spans: places in original texts, in bytes and in code points.

use serde::Serialize;
use std::ops::Range;

/// A place in an original text, half open; whole code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// In bytes of UTF-8.
    pub bytes: [usize; 2],
    /// In code points.
    pub chars: [usize; 2],
}

impl Span {
    /// The span of some bytes of `text`; tokens that are bytes may begin and end inside a code point, which is taken whole.
    pub fn of(text: &str, bytes: &Range<usize>) -> Span {
        let (start, end) = (text.floor_char_boundary(bytes.start), text.ceil_char_boundary(bytes.end));
        let before = text[..start].chars().count();
        Span { bytes: [start, end], chars: [before, before + text[start..end].chars().count()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_taken_whole() {
        let text = "a’b한c";
        assert_eq!(Span::of(text, &(0..1)), Span { bytes: [0, 1], chars: [0, 1] });
        assert_eq!(Span::of(text, &(2..6)), Span { bytes: [1, 8], chars: [1, 4] });
        assert_eq!(Span::of(text, &(9..9)), Span { bytes: [9, 9], chars: [5, 5] });
    }
}
