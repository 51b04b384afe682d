use glob::{MatchOptions, Pattern};

use crate::dialect::CsvOptions;
use crate::encoding::TextEncoding;
use crate::error::{Error, Result};

/// Which files of folders and patterns are read, and how the bytes of text files are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindOptions {
    /// Patterns of which a found file must match one. Without any, every file of a known kind is read.
    pub include: Vec<String>,
    /// Patterns of which a found file must match none.
    pub exclude: Vec<String>,
    /// Whether folders and patterns yield source files, too.
    pub source_code: bool,
    /// Encoding of text files without a byte order mark.
    pub encoding: GivenEncoding,
    /// How tables that are written as text are separated.
    pub csv: CsvOptions,
}

/// Encoding of text files without a byte order mark or a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GivenEncoding {
    /// UTF-8, and nothing else.
    #[default]
    Strict,
    /// The named encoding.
    Named(TextEncoding),
    /// Guessed from the bytes of each file.
    Detect,
}

impl GivenEncoding {
    /// Returns the value of the option, which is the name of an encoding or `detect`.
    ///
    /// # Errors
    /// The message lists the names.
    pub fn named(name: &str) -> Result<GivenEncoding, String> {
        if name == "detect" { Ok(GivenEncoding::Detect) } else { TextEncoding::named(name).map(GivenEncoding::Named) }
    }
}

/// The patterns of a [`FindOptions`], ready to use.
#[derive(Default)]
pub(crate) struct Selection {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

/// A `*` does not cross a `/`.
const MATCHING: MatchOptions = MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

impl Selection {
    /// # Errors
    /// [`Error::Pattern`]
    pub fn new(options: &FindOptions) -> Result<Selection> {
        let parsed = |patterns: &[String]| {
            let parse = |pattern: &String| {
                Pattern::new(pattern).map_err(|error| Error::Pattern { pattern: pattern.clone(), reason: error.to_string() })
            };
            patterns.iter().map(parse).collect::<Result<Vec<_>>>()
        };
        Ok(Selection { include: parsed(&options.include)?, exclude: parsed(&options.exclude)? })
    }

    /// Whether a pattern of those to include matches the path of a file below the searched folder.
    pub fn includes(&self, below: &str) -> bool {
        self.include.iter().any(|pattern| matches(pattern, below))
    }

    /// Returns why a file is not wanted, by its path below the searched folder.
    pub fn refuses(&self, below: &str) -> Option<&'static str> {
        let is_missing = !self.include.is_empty() && !self.includes(below);
        self.excludes(below).or(is_missing.then_some("not included"))
    }

    /// Returns why a file is not wanted, if a pattern of those to exclude matches it.
    pub fn excludes(&self, below: &str) -> Option<&'static str> {
        self.exclude.iter().any(|pattern| matches(pattern, below)).then_some("excluded")
    }
}

/// A pattern without `/` is matched with the name of the file, any other with its path.
fn matches(pattern: &Pattern, below: &str) -> bool {
    let name = if pattern.as_str().contains('/') { below } else { below.rsplit('/').next().unwrap_or(below) };
    pattern.matches_with(name, MATCHING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_by_name_and_by_path() {
        let selection = |include: &[&str], exclude: &[&str]| {
            let owned = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            Selection::new(&FindOptions { include: owned(include), exclude: owned(exclude), ..FindOptions::default() }).unwrap()
        };
        let python = selection(&["*.py", "docs/**/*.txt"], &["test_*"]);
        let refused: Vec<_> = ["a.py", "x/a.py", "x/test_a.py", "docs/a/b.txt", "b.txt"].map(|below| python.refuses(below)).into();
        assert_eq!(refused, [None, None, Some("excluded"), None, Some("not included")]);
        assert_eq!(selection(&[], &["old/*"]).refuses("old/a/b.txt"), None);
        assert_eq!(selection(&[], &["old/**"]).refuses("old/a/b.txt"), Some("excluded"));
    }
}
