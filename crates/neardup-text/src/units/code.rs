//! Source code: identifiers, numbers and operators. White space is left out, and so are comments where a scheme says so.

use std::ops::Range;

use crate::normal::Form;
use crate::scan::table::{Pages, ScanEntry, code_at};
use crate::unicode::CharacterKind;
use crate::units::comments::{CommentSearch, Comments};
use crate::units::unit::Unit;
use crate::units::words::{each_part, is_ascii_word};

/// Operators of several characters, longest first. Every other sign is a token of its own.
const OPERATORS: [&str; 47] = [
    ">>>=", "<<=", ">>=", ">>>", "...", "===", "!==", "**=", "//=", "??=", "&&=", "||=", "<=>", "->*", "..=", "==", "!=", "<=", ">=", "&&",
    "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "->", "=>", "::", "..", "**", "//", ":=", "??", "?.",
    "<-", "|>", "~=", "=~", "<>",
];

/// Calls `emit` with the byte range of every token of `normal`, a text in the form of code.
pub(crate) fn each_token(comments: Comments, normal: &str, mut emit: impl FnMut(Range<usize>)) {
    let (bytes, mut pages) = (normal.as_bytes(), Pages::of(Form::Code));
    let (mut search, mut literals) = (CommentSearch::new(comments, normal), Literals { bytes, open_until: [0; QUOTES.len()] });
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
                if let Some(comment) = search.length(at) {
                    at += comment;
                    continue;
                }
                literal = literals.end(at).unwrap_or(at);
            }
            let operator = OPERATORS.iter().find(|operator| bytes[at..].starts_with(operator.as_bytes()));
            let end = at + operator.map_or(length, |operator| operator.len());
            emit(at..end);
            at = end;
            continue;
        }
        let end = match number(bytes, at) {
            // A number is of ASCII alone; words may begin with a digit.
            Some(end) if bytes.get(end).is_none_or(u8::is_ascii) => {
                emit(at..end);
                end
            }
            _ => {
                let end = word(bytes, at, &mut pages);
                each_part(Unit::Words, normal, at..end, &mut pages, &mut emit);
                end
            }
        };
        at = end;
    }
}

/// Returns the end of the run of word characters from `at` on.
fn word(bytes: &[u8], mut at: usize, pages: &mut Pages) -> usize {
    loop {
        at += ascii_word(bytes, at);
        if bytes.get(at).is_none_or(u8::is_ascii) {
            return at;
        }
        let (code, length) = code_at(bytes, at);
        if pages.entry(code).kind() == CharacterKind::Separator {
            return at;
        }
        at += length;
    }
}

/// Returns the number of ASCII letters, digits and `_` from `at` on.
fn ascii_word(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|byte| is_ascii_word(**byte)).count()
}

/// Returns the end of the number at `start`, if a digit is there. A number may have points and a signed exponent.
fn number(bytes: &[u8], start: usize) -> Option<usize> {
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if !is_digit(start) {
        return None;
    }
    let is_hexadecimal = matches!(bytes[start..], [b'0', b'x' | b'X', ..]);
    let mut end = start + ascii_word(bytes, start);
    loop {
        let is_point = bytes.get(end) == Some(&b'.') && is_digit(end + 1);
        let (last, before) = (bytes[end - 1], &bytes[start..end - 1]);
        let is_plain = || before.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.'));
        let has_exponent = if is_hexadecimal { matches!(last, b'p' | b'P') } else { matches!(last, b'e' | b'E') && is_plain() };
        let is_exponent = has_exponent && matches!(bytes.get(end), Some(b'+' | b'-')) && is_digit(end + 1);
        if !is_point && !is_exponent {
            return Some(end);
        }
        end += 1 + ascii_word(bytes, end + 1);
    }
}

const QUOTES: [u8; 3] = *b"\"'`";

/// The literals in quotes that are closed on their line.
struct Literals<'a> {
    bytes: &'a [u8],
    /// For each quote, the byte where the last search for its end gave up. A quote before it, which the search passed over, would find
    /// no end either.
    open_until: [usize; QUOTES.len()],
}

impl Literals<'_> {
    /// Returns the end of the literal that begins at byte `at`, if one does. `at` must not become smaller.
    fn end(&mut self, at: usize) -> Option<usize> {
        let quote = self.bytes[at];
        let number = QUOTES.iter().position(|other| *other == quote)?;
        if at < self.open_until[number] {
            return None;
        }
        let mut end = at + 1;
        while let Some(&byte) = self.bytes.get(end) {
            match byte {
                b'\n' | b'\r' => break,
                b'\\' => end += 1,
                _ if byte == quote => return Some(end + 1),
                _ => {}
            }
            end += 1;
        }
        self.open_until[number] = end;
        None
    }
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
            ("3月完成 4f1e-8 1x5p-3 2.5e+3.5 1_000", "3 月完 完成 4f1e - 8 1x5p - 3 2.5e+3.5 1_000"),
            ("", ""),
        ] {
            assert_eq!(tokens("", text), expected, "{text}");
        }
    }

    #[test]
    fn a_literal_of_any_length_hides_comments() {
        let long = format!("a = \"{}//\"; b", "x/".repeat(5000));
        assert!(tokens("c", &long).ends_with("\" ; b"));
        // Quotes that are never closed, in one line.
        let escaped = "\\\"".repeat(200_000);
        assert_eq!(tokens("c", &escaped).len(), 4 * 200_000 - 1);
    }

    #[test]
    fn comments() {
        for (styles, text, expected) in [
            ("", "a // b", "a // b"),
            (
                "c",
                "a;\nb // b\nc /* d\n e */ f \"// g\" http://h 'it\\'s // i' /* open",
                "a ; b c f \" // g \" http : // h ' it \\ ' s // i ' / * open",
            ),
            ("c", "rm src/*.c; f(/* g */ h) = /* i */ j", "rm src / * . c ; f ( h ) = j"),
            ("c", "in ${DIR}/*.c $(D)/* /*.h; ls */", "in $ { DIR } / * . c $ ( D ) / * / * . h ; ls * /"),
            ("shell", "#!/bin/sh\n# a\nb # c\n#include d\n## e\nf#g", "b # include d f # g"),
            ("sql", "a -- b\nc--d\n--e", "a c -- d"),
            ("html", "a <!-- b\nc --> d", "a d"),
            ("c+shell", "a;\nb // b\n# c\n# define d\n  // e", "a ; b # define d"),
            ("c", "int x = 1; // one", "int x = 1 ;"),
            ("c", "f(a) {\nb // c\n}", "f ( a ) { b }"),
            ("c", "a = b // 2\n// c\nd = {\n}", "a = b // 2 d = { }"),
        ] {
            assert_eq!(tokens(styles, text), expected, "{styles}: {text}");
        }
    }
}
