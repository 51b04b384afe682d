//! One test of a measure.

use super::entry::{ArgumentForm, Entry, StageKind};
use super::stage::{Argument, list};
use crate::estimates::angle;
use crate::measures::Operator;
use crate::util::ratio::Ratio;
use std::fmt;

/// A condition on a pair. A measure holds if all its tests hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The pair shares at least `match` keys.
    Equal,
    /// A measure compared with a number.
    Compare {
        /// `~`: the estimate of a signature instead of the exact value on the features.
        estimate: bool,
        /// The measure, from its list.
        measure: &'static Entry,
        /// Its arguments, in the forms of its entry.
        args: Vec<Argument>,
        /// The comparison.
        operator: Operator,
        /// The number of the comparison, in the range of its entry.
        number: Ratio,
    },
}

/// Symbols of the operators. `<=` precedes `<`, because the first symbol that fits is taken.
const OPERATORS: [(&str, Operator); 4] =
    [(">=", Operator::AtLeast), ("<=", Operator::AtMost), ("<", Operator::Below), ("=", Operator::Equal)];

impl Test {
    /// Parses a test; the error says what is allowed.
    pub(super) fn read(text: &str) -> Result<Test, String> {
        let end = text.find(['>', '<', '=']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let (estimate, name) = name.strip_prefix('~').map_or((false, name), |name| (true, name));
        let (name, written) = name.split_once(':').map_or((name, None), |(name, written)| (name, Some(written)));
        let measure = StageKind::Measure.find(name)?;
        let Some(form) = &measure.measure_facts.number else {
            return if text == measure.name {
                Ok(Test::Equal)
            } else {
                Err(format!("`{name}` is written alone, without ~ and without a number"))
            };
        };
        let args = measure.read(&list_of(written))?;
        let Some(&(symbol, operator)) = OPERATORS.iter().find(|(symbol, _)| rest.starts_with(symbol)) else {
            return Err(format!("write {name} with >=, <=, < or =, and a {}", form.range()));
        };
        let number = &rest[symbol.len()..];
        match form.number(number) {
            Some(number) => Ok(Test::Compare { estimate, measure, args, operator, number }),
            None => Err(format!("`{number}` is not a {}", form.range())),
        }
    }

    /// Returns the lowest value of the measure `wanted` that passes the test; `None` if the test has no such bound, or
    /// is of another measure. `estimates` says whether tests of estimates count.
    pub(super) fn least(&self, wanted: &str, estimates: bool) -> Option<Ratio> {
        match self {
            Test::Compare { estimate, measure, operator: Operator::AtLeast | Operator::Equal, number, .. }
                if measure.name == wanted && (estimates || !estimate) =>
            {
                Some(*number)
            }
            _ => None,
        }
    }

    /// Returns the highest value of the distance `wanted` that passes the test; `None` as in [`Test::least`].
    pub(super) fn most(&self, wanted: &str) -> Option<Ratio> {
        match self {
            Test::Compare { measure, operator: Operator::AtMost | Operator::Equal, number, .. } if measure.name == wanted => Some(*number),
            _ => None,
        }
    }

    /// Returns the largest number of bits, of `bits`, in which two fingerprints that pass the test differ; `None` if it
    /// does not compare fingerprints.
    pub(super) fn differing(&self, bits: u64) -> Option<u64> {
        let estimated = matches!(self, Test::Compare { estimate: true, .. });
        let cosine = || self.least("cosine", true).filter(|_| estimated).map(|cosine| bits - angle::least(bits, &cosine));
        let agree = || self.least("agree", true).map(|least| bits.saturating_sub(least.numerator));
        self.most("hamming").map(|most| most.numerator).or_else(agree).or_else(cosine)
    }

    /// Returns the measure as written if it compares signatures or whole texts: `hamming`, `~resemblance`,
    /// `levenshtein:words,1,1,1`. `None` if it compares features or keys.
    pub(super) fn subject(&self) -> Option<String> {
        match self {
            Test::Compare { estimate: false, measure, .. } if measure.measure_facts.of_features.is_some() => None,
            Test::Compare { .. } => {
                let written = self.to_string();
                written.find(['>', '<', '=']).map(|end| written[..end].to_owned())
            }
            Test::Equal => None,
        }
    }

    /// Whether it requires similarity, and does not only limit it.
    pub(super) fn is_floor(&self) -> bool {
        match self {
            Test::Equal => true,
            Test::Compare { operator: Operator::Equal, .. } => true,
            Test::Compare { measure, operator, .. } => {
                let is_distance = measure.measure_facts.number.as_ref().is_some_and(ArgumentForm::is_distance);
                is_distance == (*operator != Operator::AtLeast)
            }
        }
    }

    /// Whether only documents that share a feature can pass: the test requires a value above 0 of a measure of features.
    pub(super) fn asks_for_a_shared_feature(&self) -> bool {
        let least = match self {
            Test::Compare { estimate: false, measure, operator: Operator::AtLeast | Operator::Equal, .. } => {
                measure.measure_facts.needs_shared_feature
            }
            _ => false,
        };
        // Bags with nothing in common have a sim of 1.
        let below = matches!(self, Test::Compare { measure, operator: Operator::Below, .. } if measure.name == "sim");
        least || below || self.most("sim").is_some_and(|most| most < Ratio::ONE)
    }

    /// Whether it requires similarity of the features or texts themselves.
    pub(super) fn is_exact(&self) -> bool {
        self.is_floor() && matches!(self, Test::Compare { estimate: false, measure, .. } if !measure.measure_facts.of_signatures)
    }
}

fn list_of(written: Option<&str>) -> Vec<&str> {
    written.map_or_else(Vec::new, |written| written.split(',').collect())
}

/// Parses a measure without a number, such as `lcs:chars`. Returns its entry, and its arguments with their defaults.
pub(crate) fn read_measure(text: &str) -> Result<(&'static Entry, Vec<Argument>), String> {
    let (name, written) = text.split_once(':').map_or((text, None), |(name, written)| (name, Some(written)));
    let measure = StageKind::Measure.find(name)?;
    Ok((measure, measure.read(&list_of(written))?))
}

impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Equal => out.write_str("equal"),
            Test::Compare { estimate, measure, args, operator, number } => {
                let symbol = OPERATORS.iter().find(|(_, known)| known == operator).map_or("", |(symbol, _)| symbol);
                write!(out, "{}{}", if *estimate { "~" } else { "" }, measure.name)?;
                list(out, args)?;
                write!(out, "{symbol}{number}")
            }
        }
    }
}
