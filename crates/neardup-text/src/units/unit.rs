//! The units into which a text can be cut.

use std::fmt;
use std::str::FromStr;

/// Unit of text that is one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Maximal runs of letters, digits, marks and `_` of the normal form; overlapping pairs in scripts written without spaces.
    Words,
    /// Words without the rule of pairs: everything between spaces and punctuation, as Korean is counted.
    Eojeol,
    /// Words. In scripts written without spaces, a dictionary cuts them.
    Segmented,
    /// Code points of the normalised text, except White_Space.
    Chars,
    /// Like `Chars`, with every Hangul syllable split into its conjoining jamo.
    Jamo,
    /// Bytes of the text, not normalised.
    Bytes,
    /// Lines: pieces between line feeds, trimmed, without blank ones.
    Lines,
    /// Sentences by UAX #29, trimmed, without blank ones.
    Sentences,
    /// Paragraphs: pieces between blank lines, trimmed.
    Paragraphs,
    /// Source code: identifiers, numbers and operators, in the case in which they are written.
    Code,
    /// Given values: integers, and strings as they are.
    Given,
}

impl Unit {
    /// Every unit, in the order of the reference.
    pub const ALL: [Self; 11] = [
        Self::Words,
        Self::Eojeol,
        Self::Segmented,
        Self::Chars,
        Self::Jamo,
        Self::Bytes,
        Self::Lines,
        Self::Sentences,
        Self::Paragraphs,
        Self::Code,
        Self::Given,
    ];

    /// Whether its tokens are words. Signs can be tokens beside them.
    #[must_use]
    pub const fn is_of_words(self) -> bool {
        matches!(self, Self::Words | Self::Eojeol | Self::Segmented)
    }

    /// Whether folds can be applied before the text is normalised. Source code means what it says.
    #[must_use]
    pub const fn takes_folds(self) -> bool {
        !matches!(self, Self::Bytes | Self::Code | Self::Given)
    }

    /// Returns the name in scheme lines.
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
            Self::Code => "code",
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

/// A name that is not a unit.
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
