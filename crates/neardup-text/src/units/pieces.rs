//! Lines, sentences and paragraphs: pieces of the original text.
//!
//! Pieces are found in the text as it is, because sentence ends depend on capitals. Each piece is normalised separately.

use std::ops::Range;

use crate::simd::Level;
use crate::unicode::is_white;
use crate::units::sentences::each_sentence;
use crate::units::unit::Unit;

/// Calls `emit` with the byte range of every piece, in order. Pieces are trimmed of White_Space, and blank ones are skipped. The
/// normal form of a piece may be blank or begin with white space all the same (see [`trimmed`]).
///
/// For units other than lines, sentences and paragraphs the whole text is one piece.
pub(crate) fn each_piece(unit: Unit, level: Level, text: &str, mut emit: impl FnMut(Range<usize>)) {
    let mut piece = |range: Range<usize>| {
        let trimmed = trim(text, range);
        if !trimmed.is_empty() {
            emit(trimmed);
        }
    };
    match unit {
        Unit::Lines => each_line(text, piece),
        Unit::Paragraphs => {
            let mut open: Option<Range<usize>> = None;
            each_line(text, |line| {
                if trim(text, line.clone()).is_empty() {
                    open.take().into_iter().for_each(&mut piece);
                } else {
                    open = Some(open.take().map_or(line.start, |p| p.start)..line.end);
                }
            });
            open.into_iter().for_each(piece);
        }
        Unit::Sentences => each_sentence(level, text, piece),
        _ => piece(0..text.len()),
    }
}

fn each_line(text: &str, mut emit: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for line in text.split('\n') {
        emit(start..start + line.len());
        start += line.len() + 1;
    }
}

fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = text[range.clone()].trim_start_matches(is_white);
    let start = range.end - piece.len();
    start..start + piece.trim_end_matches(is_white).len()
}

/// Returns a piece without White_Space at its ends.
pub(crate) fn trimmed(piece: &str) -> &str {
    piece.trim_matches(is_white)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(unit: Unit, text: &str) -> Vec<&str> {
        let mut found = vec![];
        each_piece(unit, Level::best(), text, |range| found.push(&text[range]));
        found
    }

    #[test]
    fn lines() {
        assert_eq!(pieces(Unit::Lines, "  one\r\n\n \t\ntwo three\u{3000}\nfour"), ["one", "two three", "four"]);
        assert!(pieces(Unit::Lines, "\n \n").is_empty());
    }

    #[test]
    fn paragraphs() {
        assert_eq!(pieces(Unit::Paragraphs, "\n\na\nb \n  \nc\n\n\n d"), ["a\nb", "c", "d"]);
        assert!(pieces(Unit::Paragraphs, "").is_empty());
    }

    #[test]
    fn sentences_end_before_capitals() {
        assert_eq!(
            pieces(Unit::Sentences, "It rained. We stayed in etc. and read! 좋다. 비가 왔다."),
            ["It rained.", "We stayed in etc. and read!", "좋다.", "비가 왔다."]
        );
    }
}
