//! Tests: the conditions of a pass, ready to be held against pairs.

use crate::estimates::Estimate;
use crate::measures::{Bound, Measure, TextMeasure};

/// One condition on a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
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
