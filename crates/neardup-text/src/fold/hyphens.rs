//! Words that are divided at the end of a line.

use super::{Fold, Folding};
use crate::normal::exact::is_ignorable;
use crate::unicode::is_letter;

pub(super) const FOLD: Fold = Fold {
    name: "hyphens",
    meaning: "a hyphen (- ‐ ‑ ⸗ ¬ or soft) between letters at the end of a line is left out with the line end, so that it joins; a soft one and ¬ join across blanks, too",
    ascii: "-",
    apply: |context, c| match join(context.base, c, context.rest) {
        Some(bytes) => Folding::Skip(bytes),
        None => Folding::Same,
    },
};

/// Returns the number of bytes from a hyphen to the next letter if one line end and blanks lie between. After a hyphen that only the
/// end of a line shows, blanks are enough: the line ends of a text may have become spaces.
fn join(base: Option<char>, c: char, rest: &str) -> Option<usize> {
    let is_of_line_ends = matches!(c, '\u{AD}' | '\u{AC}');
    if !(is_of_line_ends || matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2E17}')) || !base.is_some_and(is_letter) {
        return None;
    }
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\u{B}' | '\u{C}' | '\u{A0}' | '\u{3000}') || !c.is_ascii() && is_ignorable(c);
    let blanks = |text: &str| text.len() - text.trim_start_matches(is_blank).len();
    // The hyphen may be written full width.
    let hyphen = rest.chars().next()?.len_utf8();
    let mut bytes = hyphen + blanks(&rest[hyphen..]);
    match ["\r\n", "\n", "\r", "\u{85}", "\u{2028}"].iter().find(|end| rest[bytes..].starts_with(**end)) {
        Some(end) => bytes += end.len(),
        None if is_of_line_ends && rest[hyphen..bytes].contains([' ', '\t', '\u{A0}', '\u{3000}']) => {}
        None => return None,
    }
    bytes += blanks(&rest[bytes..]);
    rest[bytes..].chars().next().filter(|&c| is_letter(c)).map(|_| bytes)
}
