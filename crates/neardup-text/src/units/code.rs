//! Source code: identifiers, numbers and operators. White space is left out, and so are comments where a scheme says so.

use std::ops::Range;

use crate::normal::Form;
use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::unicode::CharacterKind;
use crate::units::comments::Comments;
use crate::units::unit::Unit;
use crate::units::words::each_part;

/// Operators of several characters, longest first. Every other sign is a token of its own.
const OPERATORS: [&str; 47] = [
    ">>>=", "<<=", ">>=", ">>>", "...", "===", "!==", "**=", "//=", "??=", "&&=", "||=", "<=>", "->*", "..=", "==", "!=", "<=", ">=", "&&",
    "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "->", "=>", "::", "..", "**", "//", ":=", "??", "?.",
    "<-", "|>", "~=", "=~", "<>",
];

/// Calls `emit` with the byte range of every token of `normal`, a text in the form of code.
pub(crate) fn each_token(comments: Comments, normal: &str, mut emit: impl FnMut(Range<usize>)) {
    let (bytes, mut pages) = (normal.as_bytes(), Pages::of(Form::Code));
    let (mut at, mut literal) = (0, 0);
    while at < bytes.len() {
        let (code, length) = code_at(bytes, at);
        let entry = pages.entry(code);
        let is_separator = entry.kind() == CharacterKind::Separator;
        // A mark begins no word.
        if entry.flags & ScanEntry::WHITE != 0 || !is_separator && entry.flags & ScanEntry::MARK != 0 {
            at += length;
            continue;
        }
        if is_separator {
            // No comment begins in a literal.
            if at >= literal {
                if let Some(comment) = comments.length(normal, at) {
                    at += comment;
                    continue;
                }
                literal = at + self::literal(&normal[at..]).unwrap_or(0);
            }
            let operator = OPERATORS.iter().find(|operator| bytes[at..].starts_with(operator.as_bytes()));
            let end = at + operator.map_or(length, |operator| operator.len());
            emit(at..end);
            at = end;
            continue;
        }
        let mut end = word(bytes, at, &mut pages);
        if bytes[at].is_ascii_digit() {
            end = number(bytes, at, end, &mut pages);
            emit(at..end);
        } else {
            each_part(Unit::Words, normal, at..end, &mut emit);
        }
        at = end;
    }
}

/// Returns the end of the run of word characters from `at` on.
fn word(bytes: &[u8], mut at: usize, pages: &mut Pages) -> usize {
    while at < bytes.len() {
        let (code, length) = code_at(bytes, at);
        if pages.entry(code).kind() == CharacterKind::Separator {
            break;
        }
        at += length;
    }
    at
}

/// Returns the end of the number whose first run of word characters is `start..end`: it may have points and a signed exponent.
fn number(bytes: &[u8], start: usize, mut end: usize, pages: &mut Pages) -> usize {
    loop {
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let is_hexadecimal = matches!(bytes[start..].get(1), Some(b'x' | b'X'));
        let exponent: &[u8] = if is_hexadecimal { b"pP" } else { b"eE" };
        let is_point = bytes.get(end) == Some(&b'.') && is_digit(end + 1);
        let is_exponent = exponent.contains(&bytes[end - 1]) && matches!(bytes.get(end), Some(b'+' | b'-')) && is_digit(end + 1);
        if !is_point && !is_exponent {
            return end;
        }
        end = word(bytes, end + 1, pages);
    }
}

/// Returns the number of bytes of the literal in quotes at the beginning of a text, if it is closed on its line.
fn literal(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let quote = bytes.first().copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => return None,
            b'\\' => at += 1,
            _ if byte == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(comments: &str, text: &str) -> String {
        let mut found = vec![];
        let comments = if comments.is_empty() { Comments::default() } else { comments.parse().unwrap() };
        each_token(comments, text, |range| found.push(&text[range]));
        found.join(" ")
    }

    #[test]
    fn identifiers_numbers_and_operators() {
        for (text, expected) in [
            ("int Max_2=a->b[10]*3.14e-5;", "int Max_2 = a -> b [ 10 ] * 3.14e-5 ;"),
            ("a<b&&b<=c || d!=0xFF+1", "a < b && b <= c || d != 0xFF + 1"),
            ("x=-1; x = - 1", "x = - 1 ; x = - 1"),
            ("0x1p-3 1..5 v1.2 3.len()", "0x1p-3 1 .. 5 v1 . 2 3 . len ( )"),
            ("print('héllo', 变量名)", "print ( ' héllo ' , 变量 量名 )"),
            ("", ""),
        ] {
            assert_eq!(tokens("", text), expected, "{text}");
        }
    }

    #[test]
    fn comments() {
        for (styles, text, expected) in [
            ("", "a // b", "a // b"),
            ("c", "a; // b\nc /* d\n e */ f \"// g\" http://h 'it\\'s // i' /* open", "a ; c f \" // g \" http : // h ' it \\ ' s // i '"),
            ("shell", "#!/bin/sh\n# a\nb # c\n#include d\n## e\nf#g", "b # include d f # g"),
            ("sql", "a -- b\nc--d\n--e", "a c -- d"),
            ("html", "a <!-- b\nc --> d", "a d"),
            ("c+shell", "a // b\n# c\nd // e", "a d"),
        ] {
            assert_eq!(tokens(styles, text), expected, "{styles}: {text}");
        }
    }
}
