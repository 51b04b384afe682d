//! What every signature does, and the facts about its values.

use super::values::Values;
use crate::sets::parts::SketchPart;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// How a signature is made from features, and what its values are.
pub trait SignatureMethod {
    /// Whether its values are features, so that a value two documents share is a feature both contain.
    const KEEPS_FEATURES: bool = Self::IS_SAMPLE;
    /// Whether its values are a sample of the features.
    const IS_SAMPLE: bool = false;
    /// Whether its values depend on a level, which each document has of its own.
    const HAS_LEVELS: bool = false;
    /// Number of values that make one key of `each`.
    const VALUES_PER_KEY: u64 = 1;

    /// Writes the signature of one document's `features` (repeats allowed, at least one) to `values`, which are empty. It may
    /// take steps `beside` meanwhile.
    fn sign(&self, level: Level, features: &[u64], beside: &mut impl QuarterSteps, values: &mut Values);

    /// Whether `sample` of a document lacks some of its `features`, which is their number. Asked of samples only.
    fn leaves_out(&self, sample: SketchPart<'_>, _features: u32) -> bool {
        sample.level > 0
    }

    /// The values in the words of its part of a sketch.
    fn unpack(&self, words: &[u64]) -> Vec<u64> {
        words.to_vec()
    }
}
