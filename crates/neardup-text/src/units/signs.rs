//! Signs that bear meaning, as tokens beside words: `x + 12` and `x - 12`, 👍 and 👎, C++ and C#, `:)` and `:(`.

use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

use crate::scan::settle::last;
use crate::unicode::{category, is_white};

/// Returns the number of bytes of the sign that begins at byte `at` of a text in its normal form, if one does. The character there
/// belongs to no word.
///
/// Signs are symbols (category S), `# % & * / @ \`, the percent signs of other scripts, ‰, ‱ and the prime, and superscripts, fractions
/// and circled numbers (No). A hyphen or dash (Pd) is one with white space, an end of the text or a digit on one side. One of `. , :` and
/// the marks of Arabic numbers is one between digits. A run of two or more of `: ; = - ( )` is one sign.
pub(crate) fn length(normal: &str, at: usize) -> Option<usize> {
    let bytes = normal.as_bytes();
    let run = bytes[at..].iter().take_while(|byte| matches!(byte, b':' | b';' | b'=' | b'-' | b'(' | b')')).count();
    if run > 1 {
        return Some(run);
    }
    let c = normal[at..].chars().next()?;
    let after = || normal[at + c.len_utf8()..].chars().next();
    let before = || last(&bytes[..at]);
    let is_edge = |c: Option<char>| c.is_none_or(|c| is_white(c) || is_digit(c));
    let is_sign = match c {
        '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~' | '#' | '%' | '&' | '*' | '/' | '@' | '\\' => true,
        '-' => is_edge(before()) || is_edge(after()),
        '.' | ',' | ':' | '٫' | '٬' => before().is_some_and(is_digit) && after().is_some_and(is_digit),
        '\0'..='\x7F' => false,
        '‰' | '‱' | '٪' | '؉' | '؊' | '′' => true,
        _ => match category(c) {
            GeneralCategory::DashPunctuation => is_edge(before()) || is_edge(after()),
            GeneralCategory::OtherNumber => true,
            other => GeneralCategoryGroup::Symbol.contains(other),
        },
    };
    is_sign.then_some(c.len_utf8())
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && category(c) == GeneralCategory::DecimalNumber
}
