//! Bounds: a measure compared with a number.

use crate::util::ratio::Ratio;

/// Comparison of a measure with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `=`
    Equal,
}

/// The values of a measure that pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The comparison.
    pub operator: Operator,
    /// The number with which the measure is compared.
    pub number: Ratio,
}

impl Bound {
    /// Whether `part / whole` passes, decided without division.
    #[inline]
    pub fn admits(&self, part: u64, whole: u64) -> bool {
        let (left, right) = (u128::from(part) * u128::from(self.number.denominator), u128::from(whole) * u128::from(self.number.numerator));
        match self.operator {
            Operator::AtLeast => left >= right,
            Operator::AtMost => left <= right,
            Operator::Below => left < right,
            Operator::Equal => left == right,
        }
    }
}
