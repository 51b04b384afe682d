//! Rules: why two documents count as duplicates; the first that holds.

use crate::measures::Overlap;
use serde::{Deserialize, Serialize};

/// The rule a pair was found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rule {
    /// Equal bytes of the text field, not blank.
    Identical,
    /// Equal token sequences.
    Lexical,
    /// Equal feature sets.
    Shingles,
    /// The measure is met.
    Near,
}

impl Rule {
    /// Every rule at the place of its number.
    pub const ALL: [Rule; 4] = [Rule::Identical, Rule::Lexical, Rule::Shingles, Rule::Near];

    /// The rule of two documents whose token sequences differ.
    pub fn of(overlap: Overlap) -> Rule {
        if overlap.shared == overlap.left && overlap.shared == overlap.right { Rule::Shingles } else { Rule::Near }
    }

    /// Whether it holds by equal 128-bit digests, under any scheme.
    pub fn is_certain(self) -> bool {
        matches!(self, Rule::Identical | Rule::Lexical)
    }

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Identical => "identical",
            Rule::Lexical => "lexical",
            Rule::Shingles => "shingles",
            Rule::Near => "near",
        }
    }
}
