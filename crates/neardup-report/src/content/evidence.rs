//! Why two documents were, or were not, taken for the same.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::Fraction;

/// The first rule that holds for a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Equal bytes of the text field.
    Identical,
    /// Equal token sequences.
    Lexical,
    /// Equal shingle sets.
    Shingles,
    /// The measure holds, none of the others does.
    Near,
}

/// Shingles of two documents and how many they share.
///
/// Resemblance |A n B| / |A u B| and containment |A n B| / |A| follow from the three counts
/// (Broder 1997).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The rule by which they met; `None` for a rejected pair.
    pub rule: Option<Rule>,
    /// Shingles in both.
    pub shared: u64,
    /// Shingles of the left document: the leader, in a cluster.
    pub left_size: u64,
    /// Shingles of the right document: the member, in a cluster.
    pub right_size: u64,
    /// The number that decided, where that is another than what both share.
    pub decided: Option<Decided>,
}

/// An estimate, a distance or how many bits agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// What it is of, as the scheme line writes it: "hamming", "~resemblance".
    pub subject: String,
    /// The number.
    pub value: f64,
}

impl fmt::Display for Decided {
    /// A whole number as it is, another with four digits.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decided { subject, value } = self;
        if value.fract() == 0.0 { write!(out, "{subject} {value}") } else { write!(out, "{subject} {value:.4}") }
    }
}

impl Evidence {
    /// |A n B| / |A u B|.
    pub fn resemblance(&self) -> Fraction {
        let both = self.left_size.saturating_add(self.right_size);
        Fraction { numerator: self.shared, denominator: both.saturating_sub(self.shared) }
    }

    /// |A n B| / |A|: how much of the left document is in the right one.
    pub fn left_in_right(&self) -> Fraction {
        Fraction { numerator: self.shared, denominator: self.left_size }
    }

    /// |A n B| / |B|: how much of the right document is in the left one.
    pub fn right_in_left(&self) -> Fraction {
        Fraction { numerator: self.shared, denominator: self.right_size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_from_the_counts() {
        let evidence = Evidence { rule: Some(Rule::Near), shared: 80, left_size: 80, right_size: 100, decided: None };
        assert_eq!(evidence.resemblance(), Fraction { numerator: 80, denominator: 100 });
        assert_eq!(evidence.left_in_right().decimal(), "1.0000");
        assert_eq!(evidence.right_in_left().decimal(), "0.8000");
    }
}
