//! The units a text can be cut into.

use std::fmt;
use std::str::FromStr;

/// What one token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Maximal runs of letters, digits, marks and `_`; overlapping pairs in scripts written without spaces.
    Words,
    /// Words without the rule of pairs: what is between spaces and punctuation, as Korean is counted.
    Eojeol,
    /// Words, in scripts written without spaces cut by a dictionary.
    Segmented,
    /// Code points of the normalised text, without White_Space.
    Chars,
    /// The same, every Hangul syllable split into its conjoining jamo.
    Jamo,
    /// Bytes of the text as it is, not normalised.
    Bytes,
    /// Lines: pieces between line feeds, trimmed, blank ones dropped.
    Lines,
    /// Sentences by UAX #29, trimmed, blank ones dropped.
    Sentences,
    /// Paragraphs: pieces between blank lines, trimmed.
    Paragraphs,
    /// Tokens made elsewhere: integers, and strings as they are.
    Given,
}

impl Unit {
    /// Every unit, in the order of the reference.
    pub const ALL: [Self; 10] = [
        Self::Words,
        Self::Eojeol,
        Self::Segmented,
        Self::Chars,
        Self::Jamo,
        Self::Bytes,
        Self::Lines,
        Self::Sentences,
        Self::Paragraphs,
        Self::Given,
    ];

    /// The name a scheme line uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Eojeol => "eojeol",
            Self::Segmented => "segmented",
            Self::Chars => "chars",
            Self::Jamo => "jamo",
            Self::Bytes => "bytes",
            Self::Lines => "lines",
            Self::Sentences => "sentences",
            Self::Paragraphs => "paragraphs",
            Self::Given => "given",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Unit {
    type Err = UnknownUnit;

    fn from_str(name: &str) -> Result<Self, UnknownUnit> {
        Self::ALL.into_iter().find(|unit| unit.name() == name).ok_or_else(|| UnknownUnit(name.to_owned()))
    }
}

/// A name that is no unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownUnit(pub String);

impl fmt::Display for UnknownUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no unit {:?}; there are ", self.0)?;
        for (i, unit) in Unit::ALL.iter().enumerate() {
            write!(f, "{}{unit}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownUnit {}
