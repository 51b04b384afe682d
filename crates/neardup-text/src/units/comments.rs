//! Comments of source code, by the way they are written. Nothing in a text says its language, so a scheme says what comments are.

use std::fmt;
use std::str::FromStr;

use crate::names::{self, Named};

/// A way to write comments.
#[derive(Clone, Copy, Debug)]
pub struct CommentStyle {
    /// Name in scheme lines.
    pub name: &'static str,
    /// What is a comment, for the reference.
    pub meaning: &'static str,
    /// Returns the end of a comment that begins at a place, if one does.
    end: fn(&CommentPlace<'_>) -> Option<CommentEnd>,
}

/// Where a comment may begin.
struct CommentPlace<'a> {
    /// The text from there on.
    rest: &'a str,
    /// The character before.
    before: Option<char>,
    /// Whether only white space is before it in its line.
    begins_line: bool,
    /// Whether the text has lines that end as in C: with a semicolon, or with a brace after a parenthesis.
    is_like_c: bool,
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
            meaning: "// to the end of the line, but not after a colon, and inside a line only if lines of the text end with ; or ) {, because // \
                      divides in Python; /* to */, but not after a letter, a digit or one of _ . / * $ ) ] }, nor before . or /, as in patterns \
                      of file names; C, Java, JavaScript, Go, Rust",
            end: |place| match place.rest.as_bytes() {
                [b'/', b'/', ..] => {
                    let is_address = place.before == Some(':');
                    (!is_address && (place.begins_line || place.is_like_c)).then_some(CommentEnd::Line)
                }
                [b'/', b'*', b'.' | b'/', ..] => None,
                [b'/', b'*', ..] => {
                    let is_pattern = place.before.is_some_and(|c| c.is_alphanumeric() || "_./*\\$)]}".contains(c));
                    (!is_pattern).then_some(CommentEnd::After("*/"))
                }
                _ => None,
            },
        },
        Self {
            name: "shell",
            meaning: "# to the end of the line, at its beginning or after white space, and before white space, # or !, but not before a \
                      directive of C; shell, Python, Ruby",
            end: |place| {
                let next = place.rest.chars().nth(1);
                let begins = next.is_none_or(|c| c.is_whitespace() || matches!(c, '#' | '!'));
                let is_comment = place.rest.starts_with('#') && begins && place.before.is_none_or(char::is_whitespace);
                (is_comment && !(place.begins_line && is_directive(place.rest))).then_some(CommentEnd::Line)
            },
        },
        Self {
            name: "sql",
            meaning: "-- to the end of the line, at its beginning or after white space; SQL, Lua, Haskell",
            end: |place| (place.rest.starts_with("--") && place.before.is_none_or(char::is_whitespace)).then_some(CommentEnd::Line),
        },
        Self {
            name: "html",
            meaning: "<!-- to -->; HTML, XML",
            end: |place| place.rest.starts_with("<!--").then_some(CommentEnd::After("-->")),
        },
    ];
}

impl Named for CommentStyle {
    const EVERY: &'static [Self] = &Self::ALL;
    const KIND: &'static str = "style of comments";

    fn name(&self) -> &'static str {
        self.name
    }
}

/// Whether a line is a directive of C with blanks after its sign, as `# define`.
fn is_directive(line: &str) -> bool {
    let word = line[1..].trim_start_matches([' ', '\t']).split(|c: char| !c.is_ascii_alphabetic()).next();
    let directives = ["define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "include", "line", "pragma", "undef", "warning"];
    word.is_some_and(|word| directives.contains(&word))
}

/// A set of styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comments(u8);

impl Comments {
    /// Whether it contains no style.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A search for comments from the beginning of a text to its end.
pub(crate) struct CommentSearch<'a> {
    comments: Comments,
    text: &'a str,
    is_like_c: bool,
    /// The text before this byte was looked at.
    seen: usize,
    /// First byte of the line there that is no white space.
    first: usize,
    /// Whether the end of a comment of each style occurs no more.
    ended: [bool; CommentStyle::ALL.len()],
}

impl<'a> CommentSearch<'a> {
    pub(crate) fn new(comments: Comments, text: &'a str) -> Self {
        let is_end = |line: &str| line.ends_with(';') || line.strip_suffix('{').is_some_and(|line| line.trim_end().ends_with(')'));
        let code = |line: &'a str| line.split("//").next().unwrap_or(line).trim_end();
        let is_like_c = !comments.is_empty() && text.split('\n').any(|line| is_end(code(line)));
        let first = text.len() - text.trim_start().len();
        Self { comments, text, is_like_c, seen: 0, first, ended: [false; CommentStyle::ALL.len()] }
    }

    /// Returns the number of bytes of the comment that begins at byte `at`, if one does. `at` must not become smaller.
    pub(crate) fn length(&mut self, at: usize) -> Option<usize> {
        if self.comments.is_empty() || !matches!(self.text.as_bytes()[at], b'/' | b'#' | b'-' | b'<') {
            return None;
        }
        if let Some(end) = self.text[self.seen..at].rfind('\n') {
            let line = self.seen + end + 1;
            self.first = line + self.text[line..].len() - self.text[line..].trim_start().len();
        }
        self.seen = at;
        let place = CommentPlace {
            rest: &self.text[at..],
            before: self.text[..at].chars().next_back(),
            begins_line: at == self.first,
            is_like_c: self.is_like_c,
        };
        let (number, end) =
            names::chosen::<CommentStyle>(self.comments.0).find_map(|(number, style)| Some((number, (style.end)(&place)?)))?;
        match end {
            CommentEnd::Line => Some(place.rest.find(['\n', '\r']).unwrap_or(place.rest.len())),
            CommentEnd::After(_) if self.ended[number] => None,
            CommentEnd::After(end) => {
                // The end cannot overlap the two bytes with which every such comment begins.
                let found = place.rest[2..].find(end).map(|at| 2 + at + end.len());
                self.ended[number] = found.is_none();
                found
            }
        }
    }
}

impl fmt::Display for Comments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        names::write::<CommentStyle>(self.0, f)
    }
}

impl FromStr for Comments {
    type Err = String;

    /// Parses names joined by `+`. The error names the styles there are.
    fn from_str(written: &str) -> Result<Self, String> {
        names::read::<CommentStyle>(written).map(Self)
    }
}
