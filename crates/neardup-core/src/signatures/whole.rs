//! The whole feature set as its own signature, for exact joins.

use super::{SignatureMethod, Values};
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// Sorted distinct features.
#[derive(Clone, Debug)]
pub struct Whole;

impl SignatureMethod for Whole {
    const KEEPS_FEATURES: bool = true;

    /// Writes the distinct `features` in ascending order; a feature 0 is written as 1.
    fn sign(&self, _: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        values.wide.extend(features.iter().map(|&feature| feature.max(1)));
        values.wide.sort_unstable();
        values.wide.dedup();
    }
}
