//! The evidence why two documents were, or were not, taken for duplicates.

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
    /// The measure holds, and none of the other rules does.
    Near,
}

/// Numbers of shingles of two documents, and of those that they share.
///
/// Resemblance |A n B| / |A u B| and containment |A n B| / |A| follow from the three counts
/// (Broder 1997).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Rule that holds for the pair; `None` for a rejected pair.
    pub rule: Option<Rule>,
    /// Number of shingles that both contain.
    pub shared: u64,
    /// Number of shingles of the left document: the leader, in a cluster.
    pub left_size: u64,
    /// Number of shingles of the right document: the member, in a cluster.
    pub right_size: u64,
    /// Number that decided, if it is not the number of shared shingles.
    pub decided: Option<Decided>,
}

/// An estimate, a distance or a number of equal bits that decided on a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Its name, as the scheme line writes it: "hamming", "~resemblance".
    pub subject: String,
    /// Its value.
    pub value: f64,
}

impl fmt::Display for Decided {
    /// Writes a whole number as it is, any other with four decimals.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decided { subject, value } = self;
        if value.fract() == 0.0 { write!(out, "{subject} {value}") } else { write!(out, "{subject} {value:.4}") }
    }
}

impl Evidence {
    /// Returns |A n B| / |A u B|.
    pub fn resemblance(&self) -> Fraction {
        let both = self.left_size.saturating_add(self.right_size);
        Fraction { numerator: self.shared, denominator: both.saturating_sub(self.shared) }
    }

    /// Returns |A n B| / |A|, the containment of the left document in the right one.
    pub fn left_in_right(&self) -> Fraction {
        Fraction { numerator: self.shared, denominator: self.left_size }
    }

    /// Returns |A n B| / |B|, the containment of the right document in the left one.
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
