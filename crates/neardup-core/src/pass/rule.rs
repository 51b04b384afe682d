//! Rules: the reasons why two documents count as duplicates. The first one that holds applies.

use crate::measures::Overlap;
use serde::{Deserialize, Serialize};

/// The rule by which a pair was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rule {
    /// Equal bytes of the text field, not blank.
    Identical,
    /// Equal token sequences.
    Lexical,
    /// Equal feature sets.
    Shingles,
    /// The measure holds.
    Near,
}

impl Rule {
    /// Every rule, at the index of its number.
    pub const ALL: [Rule; 4] = [Rule::Identical, Rule::Lexical, Rule::Shingles, Rule::Near];

    /// Returns the rule of two documents with different token sequences.
    pub fn of(overlap: Overlap) -> Rule {
        if overlap.shared == overlap.left && overlap.shared == overlap.right { Rule::Shingles } else { Rule::Near }
    }

    /// Whether it holds by equal 128-bit digests, under any scheme.
    pub fn is_certain(self) -> bool {
        matches!(self, Rule::Identical | Rule::Lexical)
    }

    /// Returns its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Identical => "identical",
            Rule::Lexical => "lexical",
            Rule::Shingles => "shingles",
            Rule::Near => "near",
        }
    }
}
