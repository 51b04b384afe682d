use crate::dialect::CsvOptions;
use crate::encoding::TextEncoding;
use crate::error::Result;
use crate::inputs::patterns::FilePattern;

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
#[derive(Debug, Default)]
pub(crate) struct Selection {
    include: Vec<FilePattern>,
    exclude: Vec<FilePattern>,
}

impl Selection {
    /// # Errors
    /// [`Error::Pattern`](crate::Error::Pattern)
    pub fn new(options: &FindOptions) -> Result<Selection> {
        let parsed = |patterns: &[String]| patterns.iter().map(|pattern| FilePattern::new(pattern)).collect::<Result<Vec<_>>>();
        Ok(Selection { include: parsed(&options.include)?, exclude: parsed(&options.exclude)? })
    }

    /// Whether a pattern of those to include matches a file.
    pub fn includes(&self, file: &FoundPath<'_>) -> bool {
        // Each pattern is asked, so that each knows whether it was used.
        self.include.iter().filter(|pattern| file.is_matched_by(pattern)).count() > 0
    }

    /// Returns why a file is not wanted. `is_included` is what [`Selection::includes`] says of it.
    pub fn refuses(&self, file: &FoundPath<'_>, is_included: bool) -> Option<&'static str> {
        // The patterns are asked of its archive even if one matches the file itself, so that each knows whether it was used.
        let is_archive_included = file.archive.is_some_and(|archive| self.includes(&archive.into()));
        let is_wanted = self.include.is_empty() || is_included || is_archive_included;
        self.excludes(file).or((!is_wanted).then_some("not included"))
    }

    /// Returns why a file is not wanted, if a pattern of those to exclude matches it.
    pub fn excludes(&self, file: &FoundPath<'_>) -> Option<&'static str> {
        (self.exclude.iter().filter(|pattern| file.is_matched_by(pattern)).count() > 0).then_some("excluded")
    }

    /// Returns the patterns that matched no file, with the name of their option.
    pub fn unused(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let named = self.include.iter().map(|pattern| ("include", pattern)).chain(self.exclude.iter().map(|pattern| ("exclude", pattern)));
        named.filter_map(|(option, pattern)| Some((option, pattern.unused()?)))
    }
}

/// Where patterns find a file.
#[derive(Clone, Copy)]
pub(crate) struct FoundPath<'p> {
    /// Path below the searched folder, or in the archive.
    pub below: &'p str,
    /// Path of the archive below the searched folder, for a file of one.
    pub archive: Option<&'p str>,
}

impl<'p> From<&'p str> for FoundPath<'p> {
    fn from(below: &'p str) -> Self {
        FoundPath { below, archive: None }
    }
}

impl FoundPath<'_> {
    /// Whether a pattern matches the file, by its path in the archive or with that of the archive before it.
    fn is_matched_by(&self, pattern: &FilePattern) -> bool {
        pattern.matches(self.below) || self.archive.is_some_and(|archive| pattern.matches(&format!("{archive}/{}", self.below)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(selection: &Selection, file: &FoundPath<'_>) -> Option<&'static str> {
        selection.refuses(file, selection.includes(file))
    }

    #[test]
    fn patterns_by_name_and_by_path() {
        let selection = |include: &[&str], exclude: &[&str]| {
            let owned = |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            Selection::new(&FindOptions { include: owned(include), exclude: owned(exclude), ..FindOptions::default() }).unwrap()
        };
        let python = selection(&["*.py", "docs/**/*.txt"], &["test_*"]);
        let refused = ["a.py", "x/a.py", "x/test_a.py", "docs/a/b.txt", "b.txt"].map(|below| refusal(&python, &below.into()));
        assert_eq!(refused, [None, None, Some("excluded"), None, Some("not included")]);
        assert_eq!(refusal(&selection(&[], &["old/*"]), &"old/a/b.txt".into()), None);
        assert_eq!(refusal(&selection(&[], &["old/**"]), &"old/a/b.txt".into()), Some("excluded"));
    }

    #[test]
    fn patterns_see_the_name_of_an_archive() {
        let of = |pattern: &str| Selection::new(&FindOptions { include: vec![pattern.to_owned()], ..FindOptions::default() }).unwrap();
        let file = FoundPath { below: "d/a.txt", archive: Some("x/d.zip") };
        for pattern in ["d/**", "*.txt", "x/d.zip/**", "x/*/d/*.txt", "d.zip", "*.zip", "x/d.zip", "x/**"] {
            assert_eq!(refusal(&of(pattern), &file), None, "{pattern}");
        }
        for pattern in ["e/**", "d.zip/**", "x.zip"] {
            let selection = of(pattern);
            assert_eq!((refusal(&selection, &file), selection.unused().count()), (Some("not included"), 1), "{pattern}");
        }
        assert!(!of("*.zip").includes(&file) && of("d/*").includes(&file));
    }
}
