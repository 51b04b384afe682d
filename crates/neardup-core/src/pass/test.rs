//! Tests: the conditions of a pass, ready to be compared with pairs.

use crate::estimates::Estimate;
use crate::measures::{Bound, Measure, Operator, TextMeasure};
use crate::util::ratio::Ratio;

/// One condition on a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompiledTest {
    /// Enough keys of one kind are shared.
    Equal {
        /// The part with the keys of the first kind; those of the others follow.
        part: usize,
    },
    /// A measure of the feature sets.
    Features(Measure, Bound),
    /// A measure of the whole texts.
    Texts(TextMeasure, Bound),
    /// An estimate by what the sketches keep.
    Kept {
        /// The number of the part.
        part: usize,
        /// How two of these parts are compared.
        estimate: Estimate,
        /// What passes.
        bound: Bound,
    },
}

impl CompiledTest {
    /// The least resemblance that it admits, where it says one.
    pub fn least_resemblance(&self) -> Option<Ratio> {
        match self {
            CompiledTest::Features(Measure::Resemblance, Bound { operator: Operator::AtLeast | Operator::Equal, number }) => Some(*number),
            _ => None,
        }
    }
}
