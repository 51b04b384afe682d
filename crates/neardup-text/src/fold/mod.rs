//! Folds: spellings that a reader of old, scanned or foreign texts wants to be equal, beyond the normal form.
//!
//! Each fold is a file. A fold sees the text decomposed, character by character, and says what becomes of each; the first fold that
//! changes a character decides. A new one is its file and its name in this one.

mod arabic;
mod digits;
mod hyphens;
mod joiners;
mod latin;
mod marks;
mod text;

use std::fmt;
use std::str::FromStr;

use crate::names::{self, Named};

pub(crate) use text::{FoldedText, fold_into};

/// One fold.
#[derive(Clone, Copy, Debug)]
pub struct Fold {
    /// Name in scheme lines.
    pub name: &'static str,
    /// What it maps, for the reference.
    pub meaning: &'static str,
    /// The characters of ASCII that it may change.
    ascii: &'static str,
    apply: fn(FoldContext<'_>, char) -> Folding,
}

impl Fold {
    /// Every fold, in the order of the reference and of the canonical line.
    pub const ALL: [Self; 6] = [marks::FOLD, latin::FOLD, arabic::FOLD, digits::FOLD, hyphens::FOLD, joiners::FOLD];
}

impl Named for Fold {
    const EVERY: &'static [Self] = &Self::ALL;
    const KIND: &'static str = "fold";

    fn name(&self) -> &'static str {
        self.name
    }
}

/// What becomes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Folding {
    Same,
    /// These characters replace it; none, if it is left out.
    Text(&'static str),
    /// This number of bytes from it on is left out.
    Skip(usize),
}

/// What a fold sees besides the character.
#[derive(Clone, Copy)]
struct FoldContext<'a> {
    /// The last character before that is no mark and is seen.
    base: Option<char>,
    /// The original text from the character on, or from the segment on of which it is a part.
    rest: &'a str,
}

/// A set of folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Folds(u8);

impl Folds {
    /// Whether it contains no fold.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the folds of the set, in the order of the reference.
    pub fn iter(self) -> impl Iterator<Item = &'static Fold> {
        names::chosen(self.0).map(|(_, fold)| fold)
    }
}

impl fmt::Display for Folds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        names::write::<Fold>(self.0, f)
    }
}

impl FromStr for Folds {
    type Err = String;

    /// Parses names joined by `+`. The error names the folds there are.
    fn from_str(written: &str) -> Result<Self, String> {
        names::read::<Fold>(written).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for names in ["marks", "latin+digits", "marks+latin+arabic+digits+hyphens+joiners"] {
            assert_eq!(names.parse::<Folds>().unwrap().to_string(), names);
        }
        assert_eq!("digits+marks".parse::<Folds>().unwrap().to_string(), "marks+digits");
        assert!(Folds::default().is_empty());
        assert!("".parse::<Folds>().unwrap_err().contains("there are marks, latin, arabic"));
        assert!("marks+marks".parse::<Folds>().unwrap_err().contains("twice"));
    }
}
