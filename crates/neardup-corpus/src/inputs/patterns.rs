//! Patterns of paths: `*`, `?`, `[...]` and `**` of the library, and alternatives in braces.

use std::sync::atomic::{AtomicBool, Ordering};

use glob::{MatchOptions, Pattern};

use crate::error::{Error, Result};

/// Characters of which a pattern has one, unless it is a plain path. A brace alone is an ordinary character.
const WILDCARDS: [char; 3] = ['*', '?', '['];
/// Maximum number of patterns that the braces of one may make.
const MOST: usize = 1000;
/// A `*` does not cross a `/`.
const MATCHING: MatchOptions = MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// Whether a part of a path is a pattern, apart from braces.
pub(crate) fn has_wildcards(part: &str) -> bool {
    part.contains(WILDCARDS)
}

/// Returns the patterns without braces that a pattern means: `a.{csv,tsv}` is `a.csv` or `a.tsv`. Braces without a comma are
/// ordinary characters, and so are those in brackets.
///
/// # Errors
/// There are too many of them.
pub(crate) fn alternatives(pattern: &str) -> Result<Vec<String>> {
    let (mut open, mut done) = (vec![pattern.to_owned()], Vec::new());
    while let Some(next) = open.pop() {
        if open.len() + done.len() > MOST {
            return Err(Error::Pattern { pattern: pattern.to_owned(), reason: format!("its braces make more than {MOST} patterns") });
        }
        match group(&next) {
            // The last one is taken first, so that they stay in order.
            Some((before, choices, after)) => open.extend(choices.iter().rev().map(|choice| format!("{before}{choice}{after}"))),
            None => done.push(next),
        }
    }
    Ok(done)
}

/// Returns the first group of alternatives of a pattern, and what is before and after it.
fn group(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    outside_brackets(pattern).filter(|(_, character)| *character == '{').find_map(|(start, _)| {
        let inside = &pattern[start + 1..];
        let (mut depth, mut begin, mut choices) = (0, 0, Vec::new());
        for (at, character) in outside_brackets(inside) {
            match character {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' if depth == 0 => {
                    choices.push(&inside[begin..at]);
                    begin = at + 1;
                }
                '}' if choices.is_empty() => return None,
                '}' => {
                    choices.push(&inside[begin..at]);
                    return Some((&pattern[..start], choices, &inside[at + 1..]));
                }
                _ => {}
            }
        }
        None
    })
}

/// Returns the characters of a pattern that are not in brackets, with their offsets. Brackets that are not closed reach to the end.
fn outside_brackets(pattern: &str) -> impl Iterator<Item = (usize, char)> {
    let mut rest = pattern.char_indices();
    std::iter::from_fn(move || {
        loop {
            let (at, character) = rest.next()?;
            if character != '[' {
                return Some((at, character));
            }
            if rest.as_str().starts_with('!') {
                rest.next();
            }
            // The first character is one of the set, even if it is a bracket.
            rest.next();
            rest.find(|(_, character)| *character == ']');
        }
    })
}

/// Returns a pattern of the library without braces. The whole tree below a folder, `c/**`, is its files, too.
///
/// # Errors
/// [`Error::Pattern`]
pub(crate) fn parse(pattern: &str) -> Result<Pattern> {
    let refuse = |error: glob::PatternError| {
        let hint = if pattern.contains("**") { "; ** must be alone between two /, as in a/**/*.txt" } else { "" };
        Error::Pattern { pattern: pattern.to_owned(), reason: format!("{error}{hint}") }
    };
    Pattern::new(&whole_tree(pattern)).map_err(refuse)
}

/// Returns a pattern for the files of the folders that a pattern with `**` at its end matches.
fn whole_tree(pattern: &str) -> String {
    if pattern == "**" || pattern.ends_with("/**") { format!("{pattern}/*") } else { pattern.to_owned() }
}

/// A pattern that chooses among the files of a folder or an archive.
#[derive(Debug)]
pub(crate) struct FilePattern {
    /// As the user gave it.
    text: String,
    alternatives: Vec<Pattern>,
    /// Whether it matched a file.
    is_used: AtomicBool,
}

impl FilePattern {
    /// # Errors
    /// [`Error::Pattern`]
    pub fn new(text: &str) -> Result<FilePattern> {
        // A path below a folder does not begin with it.
        let below = text.strip_prefix("./").unwrap_or(text);
        let alternatives = alternatives(below)?.iter().map(|pattern| parse(pattern)).collect::<Result<_>>()?;
        Ok(FilePattern { text: text.to_owned(), alternatives, is_used: AtomicBool::new(false) })
    }

    /// Whether it matches a path below the searched folder. A pattern without `/` is matched with the name of the file.
    pub fn matches(&self, below: &str) -> bool {
        let name = below.rsplit('/').next().unwrap_or(below);
        let matches = |pattern: &Pattern| pattern.matches_with(if pattern.as_str().contains('/') { below } else { name }, MATCHING);
        let is_match = self.alternatives.iter().any(matches);
        if is_match {
            self.is_used.store(true, Ordering::Relaxed);
        }
        is_match
    }

    /// Returns the pattern as it was given if it matched no file.
    pub fn unused(&self) -> Option<&str> {
        (!self.is_used.load(Ordering::Relaxed)).then_some(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_alternatives() {
        let table: [(&str, &[&str]); 17] = [
            ("*.txt", &["*.txt"]),
            ("*.{csv,tsv}", &["*.csv", "*.tsv"]),
            ("{a,b}/{c,d}", &["a/c", "a/d", "b/c", "b/d"]),
            ("a{,.gz}", &["a", "a.gz"]),
            ("{a,{b,c}d}e", &["ae", "bde", "cde"]),
            ("{a}", &["{a}"]),
            ("{a,b", &["{a,b"]),
            ("x}{", &["x}{"]),
            ("[{]a,b}", &["[{]a,b}"]),
            ("{é,[,}]}z", &["éz", "[,}]z"]),
            ("[À-Ö]*.{csv,tsv}", &["[À-Ö]*.csv", "[À-Ö]*.tsv"]),
            ("[!À]{a,b}", &["[!À]a", "[!À]b"]),
            ("[!!]{a,b}", &["[!!]a", "[!!]b"]),
            ("[[]{a,b}", &["[[]a", "[[]b"]),
            ("[]]{a,b}", &["[]]a", "[]]b"]),
            ("[!]{,}]{a,b}", &["[!]{,}]a", "[!]{,}]b"]),
            ("{[é,],[[,]}{ä,[ü}]}", &["[é,]ä", "[é,][ü}]", "[[,]ä", "[[,][ü}]"]),
        ];
        for (pattern, want) in table {
            assert_eq!(alternatives(pattern).unwrap(), want, "{pattern}");
        }
        assert!(alternatives(&"{a,b}".repeat(12)).is_err());
    }

    #[test]
    fn a_pattern_knows_whether_it_was_used() {
        let pattern = FilePattern::new("./sub/*.{py,js}").unwrap();
        assert!(!pattern.matches("a.py") && !pattern.matches("sub/a/b.py") && pattern.unused() == Some("./sub/*.{py,js}"));
        assert!(pattern.matches("sub/a.js") && pattern.unused().is_none());
        assert!(FilePattern::new("sub/**").unwrap().matches("sub/a/b.py"));
        assert!(FilePattern::new("a**.py").unwrap_err().to_string().contains("alone between two /"));
    }
}
