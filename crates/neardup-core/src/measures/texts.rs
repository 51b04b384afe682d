//! Measures of whole texts, which compare sequences of tokens in order, or features with their weights.

use super::levenshtein::{self, Costs};
use super::{Bound, Operator, bag, cosine, euclidean, hamming, lcs, sim};
use crate::sets::vector::Vector;
use neardup_text::Unit;
use std::cmp::Ordering;

/// A measure of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMeasure {
    /// Resemblance (Jaccard) of the bags: repeats count.
    Bag,
    /// Cosine of the angle between the weighted features.
    Cosine,
    /// Euclidean distance of the weighted features.
    Euclidean,
    /// Hamming distance of token sequences of equal length; greater than any number if the lengths differ.
    Distinct(Unit),
    /// |LCS| / (|A| + |B| - |LCS|) of the token sequences.
    Lcs(Unit),
    /// Levenshtein distance of the token sequences, in the direction that costs less.
    Levenshtein(Unit, Costs),
    /// Tianwang's distance of the weighted features.
    Sim,
}

/// The part of a text that a measure compares.
#[derive(Clone, Debug)]
pub enum MeasuredContent {
    /// Tokens.
    Sequence(Vec<u64>),
    /// Features.
    Vector(Vector),
}

impl TextMeasure {
    /// Returns the unit of the sequences that it compares; `None` if it compares features.
    pub fn unit(self) -> Option<Unit> {
        match self {
            TextMeasure::Distinct(unit) | TextMeasure::Lcs(unit) | TextMeasure::Levenshtein(unit, _) => Some(unit),
            _ => None,
        }
    }

    /// Whether the measure of two contents meets the bound.
    pub fn holds(self, left: &MeasuredContent, right: &MeasuredContent, bound: &Bound) -> bool {
        let number = &bound.number;
        match (self, left, right) {
            (TextMeasure::Bag, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => fraction(bag::fraction(l, r), bound),
            (TextMeasure::Cosine, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => ordered(cosine::compare(l, r, number), bound),
            (TextMeasure::Euclidean, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => {
                ordered(euclidean::compare(l, r, number), bound)
            }
            (TextMeasure::Sim, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => ordered(sim::compare(l, r, number), bound),
            (TextMeasure::Distinct(_), MeasuredContent::Sequence(l), MeasuredContent::Sequence(r)) => {
                hamming::tokens(l, r).is_some_and(|count| bound.admits(count, 1))
            }
            (TextMeasure::Lcs(_), MeasuredContent::Sequence(l), MeasuredContent::Sequence(r)) => fraction(lcs::fraction(l, r), bound),
            (TextMeasure::Levenshtein(_, costs), MeasuredContent::Sequence(l), MeasuredContent::Sequence(r)) => edits(l, r, costs, bound),
            _ => false,
        }
    }

    /// Returns the measure for display only: no decision may use it. `None` if it has no value.
    pub fn value(self, left: &MeasuredContent, right: &MeasuredContent) -> Option<f64> {
        let share = |(part, whole): (u64, u64)| part as f64 / whole as f64;
        Some(match (self, left, right) {
            (TextMeasure::Bag, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => share(bag::fraction(l, r)),
            (TextMeasure::Cosine, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => cosine::value(l, r),
            (TextMeasure::Euclidean, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => euclidean::value(l, r),
            (TextMeasure::Sim, MeasuredContent::Vector(l), MeasuredContent::Vector(r)) => {
                let (part, whole) = sim::fraction(l, r);
                part as f64 / whole as f64
            }
            (TextMeasure::Distinct(_), MeasuredContent::Sequence(l), MeasuredContent::Sequence(r)) => hamming::tokens(l, r)? as f64,
            (TextMeasure::Lcs(_), MeasuredContent::Sequence(l), MeasuredContent::Sequence(r)) => share(lcs::fraction(l, r)),
            (TextMeasure::Levenshtein(_, costs), MeasuredContent::Sequence(l), MeasuredContent::Sequence(r)) => {
                levenshtein::distance(l, r, costs).min(levenshtein::distance(r, l, costs)) as f64
            }
            _ => return None,
        })
    }
}

fn fraction((part, whole): (u64, u64), bound: &Bound) -> bool {
    bound.admits(part, whole)
}

fn ordered(order: Ordering, bound: &Bound) -> bool {
    match bound.operator {
        Operator::AtLeast => order != Ordering::Less,
        Operator::AtMost => order != Ordering::Greater,
        Operator::Below => order == Ordering::Less,
        Operator::Equal => order == Ordering::Equal,
    }
}

/// Searches for a distance up to the bound only. The number of the bound is an integer.
fn edits(left: &[u64], right: &[u64], costs: Costs, bound: &Bound) -> bool {
    let limit = bound.number.numerator / bound.number.denominator;
    let there = || levenshtein::within(left, right, costs, limit);
    // If insertions and deletions cost the same, so do both directions.
    let back = || (costs.insert != costs.delete).then(|| levenshtein::within(right, left, costs, limit)).flatten();
    match there().into_iter().chain(back()).min() {
        Some(distance) => bound.admits(distance, 1),
        None => bound.operator == Operator::AtLeast,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::ratio::Ratio;
    use proptest::prelude::*;

    const ALL: [TextMeasure; 10] = [
        TextMeasure::Bag,
        TextMeasure::Cosine,
        TextMeasure::Euclidean,
        TextMeasure::Distinct(Unit::Chars),
        TextMeasure::Lcs(Unit::Chars),
        TextMeasure::Levenshtein(Unit::Chars, Costs { insert: 1, delete: 1, replace: 1 }),
        TextMeasure::Levenshtein(Unit::Chars, Costs { insert: 2, delete: 1, replace: 2 }),
        TextMeasure::Levenshtein(Unit::Chars, Costs { insert: 0, delete: 3, replace: 2 }),
        TextMeasure::Levenshtein(Unit::Chars, Costs { insert: 1, delete: 5, replace: 7 }),
        TextMeasure::Sim,
    ];

    proptest! {
        #[test]
        fn decisions_agree_with_the_value(
            left in proptest::collection::vec(0u64..6, 0..12), right in proptest::collection::vec(0u64..6, 0..12), p in 0u64..40, q in 1u64..9,
        ) {
            for measure in ALL {
                let content = |tokens: &[u64]| match measure.unit() {
                    Some(_) => MeasuredContent::Sequence(tokens.to_vec()),
                    None => MeasuredContent::Vector(Vector::counts(tokens)),
                };
                let (l, r) = (content(&left), content(&right));
                let whole = matches!(measure, TextMeasure::Distinct(_) | TextMeasure::Levenshtein(..));
                let number = Ratio { numerator: p, denominator: if whole { 1 } else { q } };
                for operator in [Operator::AtLeast, Operator::AtMost, Operator::Below, Operator::Equal] {
                    let holds = measure.holds(&l, &r, &Bound { operator, number });
                    prop_assert_eq!(holds, measure.holds(&r, &l, &Bound { operator, number }));
                    let Some(value) = measure.value(&l, &r) else { continue };
                    let distance = value - number.approximate();
                    // Near the number, a float may be on either side.
                    if distance.abs() > 1e-9 {
                        let expected = match operator {
                            Operator::AtLeast => distance > 0.0,
                            Operator::AtMost | Operator::Below => distance < 0.0,
                            Operator::Equal => false,
                        };
                        prop_assert_eq!(holds, expected, "{:?} {} {:?} {}", measure, value, operator, number);
                    }
                }
            }
        }
    }
}
