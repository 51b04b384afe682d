//! Tests: the compiled conditions of a pass.

use crate::estimates::Estimate;
use crate::measures::{Bound, Measure, Operator, TextMeasure};
use crate::util::ratio::Ratio;

/// One condition on a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompiledTest {
    /// Two documents share enough keys of one kind.
    Equal {
        /// The part with the keys of the first kind; the parts of the other kinds follow.
        part: usize,
    },
    /// A measure of the feature sets.
    Features(Measure, Bound),
    /// A measure of the whole texts.
    Texts(TextMeasure, Bound),
    /// An estimate by a part of the sketches.
    Kept {
        /// The number of the part.
        part: usize,
        /// The comparison of two of these parts.
        estimate: Estimate,
        /// The values that pass.
        bound: Bound,
    },
}

impl CompiledTest {
    /// Returns the lowest resemblance that it admits; `None` if it has no such bound.
    pub fn least_resemblance(&self) -> Option<Ratio> {
        match self {
            CompiledTest::Features(Measure::Resemblance, Bound { operator: Operator::AtLeast | Operator::Equal, number }) => Some(*number),
            _ => None,
        }
    }
}
