//! Spans: places in original texts, in bytes and in code points.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A place in an original text, half open, in whole code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OriginalSpan {
    /// In bytes of UTF-8.
    pub bytes: [usize; 2],
    /// In code points.
    pub chars: [usize; 2],
}

/// Number of bytes between two entries of the index.
const STEP: usize = 1 << 8;

/// Number of code points before every block of a text, so that no span has to be counted from the start of the text.
#[derive(Debug)]
pub struct CodePointIndex {
    before: Vec<usize>,
}

impl CodePointIndex {
    /// Returns the index of a text.
    pub fn new(text: &str) -> Self {
        let blocks = text.as_bytes().chunks(STEP).scan(0, |before, block| Some(std::mem::replace(before, *before + starts(block))));
        CodePointIndex { before: blocks.collect() }
    }

    /// Returns the span of some bytes of that text. Tokens that are bytes may begin and end inside a code point, which is then
    /// taken whole.
    pub fn span(&self, text: &str, bytes: &Range<usize>) -> OriginalSpan {
        let bytes = [text.floor_char_boundary(bytes.start), text.ceil_char_boundary(bytes.end)];
        let before = |end: usize| self.before.get(end / STEP).map_or(0, |before| before + starts(&text.as_bytes()[end / STEP * STEP..end]));
        // A position at the end of the last block has no block of its own.
        let chars = bytes.map(|end| if end == text.len() && end % STEP == 0 { self.all(text) } else { before(end) });
        OriginalSpan { bytes, chars }
    }

    fn all(&self, text: &str) -> usize {
        self.before.last().map_or(0, |before| before + starts(&text.as_bytes()[(self.before.len() - 1) * STEP..]))
    }
}

/// Returns the number of code points that begin among some bytes.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str, bytes: Range<usize>) -> OriginalSpan {
        CodePointIndex::new(text).span(text, &bytes)
    }

    #[test]
    fn code_points_are_taken_whole() {
        let text = "a’b한c";
        assert_eq!(span(text, 0..1), OriginalSpan { bytes: [0, 1], chars: [0, 1] });
        assert_eq!(span(text, 2..6), OriginalSpan { bytes: [1, 8], chars: [1, 4] });
        assert_eq!(span(text, 9..9), OriginalSpan { bytes: [9, 9], chars: [5, 5] });
        assert_eq!(span("", 0..0), OriginalSpan { bytes: [0, 0], chars: [0, 0] });
    }

    #[test]
    fn every_place_is_counted() {
        for text in ["", "a", &"a".repeat(STEP), &"가".repeat(300), &format!("{}é👩{}", "x".repeat(STEP - 1), "한".repeat(200))] {
            for (chars, (byte, _)) in text.char_indices().chain([(text.len(), ' ')]).enumerate() {
                assert_eq!(span(text, byte..byte).chars, [chars, chars]);
            }
        }
    }

    #[test]
    fn counts_from_the_start() {
        for piece in ["a한é𝄞", "a", "𝄞"] {
            let text = piece.repeat(3 * STEP / piece.len() + 5);
            let steps = (0..4).flat_map(|step| (step * STEP).saturating_sub(5)..step * STEP + 5);
            let ends: Vec<usize> = steps.chain([1000, text.len()]).filter(|&end| end <= text.len()).collect();
            let ruler = CodePointIndex::new(&text);
            for &first in &ends {
                for &last in ends.iter().filter(|&&last| last >= first) {
                    let (start, end) = (text.floor_char_boundary(first), text.ceil_char_boundary(last));
                    let chars = [text[..start].chars().count(), text[..end].chars().count()];
                    assert_eq!(ruler.span(&text, &(first..last)), OriginalSpan { bytes: [start, end], chars }, "{first}..{last}");
                }
            }
        }
    }
}
