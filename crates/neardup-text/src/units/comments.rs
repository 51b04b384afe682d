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
    /// Returns the end of a comment that begins `rest`, after the character `before`.
    end: fn(rest: &str, before: Option<char>) -> Option<CommentEnd>,
}

/// Where a comment ends.
enum CommentEnd {
    /// Before the end of the line.
    Line,
    /// After this text. If there is none, no comment begins.
    After(&'static str),
}

impl CommentStyle {
    /// Every style, in the order of the reference and of the canonical line.
    pub const ALL: [Self; 4] = [
        Self {
            name: "c",
            meaning: "// to the end of the line, but not after a colon; /* to */, but not after a letter, a digit or one of _ . / * $ ) ] }, nor before . or /, as in patterns of file names; C, Java, JavaScript, Go, Rust",
            end: |rest, before| match rest.as_bytes() {
                // The slashes of an address, and the star of a pattern of file names.
                [b'/', b'/', ..] => (before != Some(':')).then_some(CommentEnd::Line),
                [b'/', b'*', b'.' | b'/', ..] => None,
                [b'/', b'*', ..] => {
                    before.is_none_or(|c| !c.is_alphanumeric() && !"_./*\\$)]}".contains(c)).then_some(CommentEnd::After("*/"))
                }
                _ => None,
            },
        },
        Self {
            name: "shell",
            meaning: "# to the end of the line, at its beginning or after white space, and before white space, # or !; shell, Python, Ruby",
            end: |rest, before| {
                // A directive of C begins with # and a letter.
                let next = rest.chars().nth(1);
                let begins = next.is_none_or(|c| c.is_whitespace() || matches!(c, '#' | '!'));
                (rest.starts_with('#') && begins && before.is_none_or(char::is_whitespace)).then_some(CommentEnd::Line)
            },
        },
        Self {
            name: "sql",
            meaning: "-- to the end of the line, at its beginning or after white space; SQL, Lua, Haskell",
            end: |rest, before| (rest.starts_with("--") && before.is_none_or(char::is_whitespace)).then_some(CommentEnd::Line),
        },
        Self {
            name: "html",
            meaning: "<!-- to -->; HTML, XML",
            end: |rest, _| rest.starts_with("<!--").then_some(CommentEnd::After("-->")),
        },
    ];
}

/// A set of styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comments(u8);

impl Comments {
    const NAMES: [&str; CommentStyle::ALL.len()] = {
        let (mut names, mut number) = ([""; CommentStyle::ALL.len()], 0);
        while number < names.len() {
            names[number] = CommentStyle::ALL[number].name;
            number += 1;
        }
        names
    };

    /// Whether it contains no style.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the styles of the set, with their numbers.
    fn iter(self) -> impl Iterator<Item = (usize, &'static CommentStyle)> {
        const ALL: &[CommentStyle] = &CommentStyle::ALL;
        ALL.iter().enumerate().filter(move |(number, _)| self.0 >> number & 1 == 1)
    }
}

/// A search for comments from the beginning of a text to its end.
pub(crate) struct CommentSearch<'a> {
    comments: Comments,
    text: &'a str,
    /// Whether the end of a comment of each style occurs no more.
    ended: [bool; CommentStyle::ALL.len()],
}

impl<'a> CommentSearch<'a> {
    pub(crate) fn new(comments: Comments, text: &'a str) -> Self {
        Self { comments, text, ended: [false; CommentStyle::ALL.len()] }
    }

    /// Returns the number of bytes of the comment that begins at byte `at`, if one does. `at` must not become smaller.
    pub(crate) fn length(&mut self, at: usize) -> Option<usize> {
        if self.comments.is_empty() {
            return None;
        }
        let (rest, before) = (&self.text[at..], self.text[..at].chars().next_back());
        let (number, end) = self.comments.iter().find_map(|(number, style)| Some((number, (style.end)(rest, before)?)))?;
        match end {
            CommentEnd::Line => Some(rest.find(['\n', '\r']).unwrap_or(rest.len())),
            CommentEnd::After(_) if self.ended[number] => None,
            CommentEnd::After(end) => {
                // The end cannot overlap the two bytes with which every such comment begins.
                let found = rest[2..].find(end).map(|at| 2 + at + end.len());
                self.ended[number] = found.is_none();
                found
            }
        }
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
