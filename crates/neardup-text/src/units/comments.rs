//! Comments of source code, by the way they are written. Nothing in a text says its language, so a scheme says what comments are.

use std::fmt;
use std::str::FromStr;

use crate::names;

/// A way to write comments.
#[derive(Clone, Copy, Debug)]
pub struct CommentStyle {
    /// Name in scheme lines.
    pub name: &'static str,
    /// What is a comment, for the reference.
    pub meaning: &'static str,
    /// Returns the number of bytes of a comment at the beginning of `rest`, after the character `before`.
    length: fn(rest: &str, before: Option<char>) -> Option<usize>,
}

impl CommentStyle {
    /// Every style, in the order of the reference and of the canonical line.
    pub const ALL: [Self; 4] = [
        Self { name: "c", meaning: "// to the end of the line, and /* to */; C, Java, JavaScript, Go, Rust", length: c },
        Self {
            name: "shell",
            meaning: "# to the end of the line, at its beginning or after white space; shell, Python, Ruby",
            length: shell,
        },
        Self { name: "sql", meaning: "-- to the end of the line; SQL, Lua, Haskell", length: sql },
        Self { name: "html", meaning: "<!-- to -->; HTML, XML", length: html },
    ];
}

fn c(rest: &str, before: Option<char>) -> Option<usize> {
    match rest.as_bytes() {
        // The slashes of an address.
        [b'/', b'/', ..] if before == Some(':') => None,
        [b'/', b'/', ..] => Some(line(rest)),
        [b'/', b'*', ..] => Some(block(rest, 2, "*/")),
        _ => None,
    }
}

fn shell(rest: &str, before: Option<char>) -> Option<usize> {
    let begins = rest.starts_with('#') && before.is_none_or(char::is_whitespace);
    // A directive of C begins with # and a letter; a comment, with a space, with more signs or with the ! of a first line.
    let next = rest.chars().nth(1);
    (begins && next.is_none_or(|c| c.is_whitespace() || matches!(c, '#' | '!'))).then(|| line(rest))
}

fn sql(rest: &str, before: Option<char>) -> Option<usize> {
    (rest.starts_with("--") && before.is_none_or(char::is_whitespace)).then(|| line(rest))
}

fn html(rest: &str, _: Option<char>) -> Option<usize> {
    rest.starts_with("<!--").then(|| block(rest, 4, "-->"))
}

/// Returns the number of bytes before the end of the line.
fn line(rest: &str) -> usize {
    rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// Returns the number of bytes up to and with `end`, which is looked for after the first `begin` bytes.
fn block(rest: &str, begin: usize, end: &str) -> usize {
    rest[begin..].find(end).map_or(rest.len(), |at| begin + at + end.len())
}

/// A set of styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comments(u8);

impl Comments {
    const NAMES: [&str; CommentStyle::ALL.len()] = {
        let [c, shell, sql, html] = CommentStyle::ALL;
        [c.name, shell.name, sql.name, html.name]
    };

    /// Whether it contains no style.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of bytes of the comment that begins at byte `at`, if one does.
    pub(crate) fn length(self, text: &str, at: usize) -> Option<usize> {
        const ALL: &[CommentStyle; CommentStyle::ALL.len()] = &CommentStyle::ALL;
        let before = text[..at].chars().next_back();
        let styles = (0..).zip(ALL).filter(|&(number, _)| self.0 >> number & 1 == 1);
        styles.into_iter().find_map(|(_, style)| (style.length)(&text[at..], before))
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        names::write(self.0, &Self::NAMES, f)
    }
}

impl FromStr for Comments {
    type Err = String;

    /// Parses names joined by `+`. The error names the styles there are.
    fn from_str(written: &str) -> Result<Self, String> {
        names::read(written, &Self::NAMES, "style of comments").map(Self)
    }
}
