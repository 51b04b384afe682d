//! Lists of antecedents and stop words: one that comes with neardup, or a file.

use crate::error::{Error, Result};
use crate::features::antecedents::{Antecedents, LANGUAGES};
use neardup_text::TokenRules;
use std::fmt;
use std::path::PathBuf;

/// A list of antecedents and stop words as a scheme names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordList {
    /// The list of a language.
    Language(&'static str),
    /// A file in the same form as the lists of languages.
    File(PathBuf),
}

impl WordList {
    /// Parses the value of `antecedents=`; the error says what is allowed.
    pub(super) fn read(text: &str) -> Result<WordList, String> {
        let language = LANGUAGES.iter().find(|listed| listed.0 == text).map(|listed| WordList::Language(listed.0));
        let file = || text.strip_prefix("file:").filter(|path| !path.is_empty()).map(|path| WordList::File(PathBuf::from(path)));
        language.or_else(file).ok_or_else(|| {
            let languages: Vec<&str> = LANGUAGES.iter().map(|listed| listed.0).collect();
            format!("antecedents= is {} or file:PATH", languages.join(", "))
        })
    }

    /// Returns the roles of the listed words, as tokens by `rules` hashed with `seed`.
    ///
    /// # Errors
    /// [`Error::File`] if the file cannot be read, or is not such a list.
    pub fn open(&self, rules: TokenRules, seed: u64) -> Result<Antecedents> {
        let refuse = |path: &PathBuf, reason: String| Error::File { what: "antecedents", path: path.clone(), reason };
        match self {
            WordList::Language(name) => {
                let list = LANGUAGES.iter().find(|listed| listed.0 == *name).map_or("", |listed| listed.1);
                Antecedents::read(list, rules, seed, true).map_err(|reason| refuse(&PathBuf::from(name), reason))
            }
            WordList::File(path) => {
                let list = neardup_disk::regular::read_to_string(path).map_err(|error| refuse(path, error.to_string()))?;
                Antecedents::read(&list, rules, seed, false).map_err(|reason| refuse(path, reason))
            }
        }
    }
}

impl Default for WordList {
    fn default() -> WordList {
        WordList::Language(LANGUAGES[0].0)
    }
}

impl fmt::Display for WordList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordList::Language(name) => out.write_str(name),
            WordList::File(path) => write!(out, "file:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_text::Unit;

    #[test]
    fn files_are_read_and_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let open = |list: &str| {
            std::fs::write(file.path(), list).unwrap();
            WordList::read(&format!("file:{}", file.path().display())).unwrap().open(Unit::Words.into(), 0)
        };
        assert!(open("antecedents: the a\nstops: of").is_ok());
        let error = open("antecedents: don't").unwrap_err().to_string();
        assert!(error.starts_with("antecedents ") && error.contains("`don't` is 2 tokens in words"), "{error}");
        let missing = WordList::read("file:no/such/list").unwrap().open(Unit::Words.into(), 0).unwrap_err().to_string();
        assert!(missing.contains("no/such/list"), "{missing}");
        assert!(WordList::read("xx").unwrap_err().contains("en, ko, zh, de, fr, es or file:PATH"));
    }

    #[test]
    fn lists_serve_every_unit_of_words() {
        for (language, _) in LANGUAGES {
            for unit in [Unit::Words, Unit::Eojeol, Unit::Segmented] {
                assert!(WordList::Language(language).open(unit.into(), 0).is_ok(), "{language} in {unit}");
            }
        }
    }
}
