//! Pair values: the number that the first test on signatures or whole texts compares, for display.

use crate::estimates::Estimate;
use crate::pass::compiled::CompiledPass;
use crate::pass::test::CompiledTest;
use crate::sets::parts::SketchPart;
use crate::sets::sketch::Sketch;
use serde::{Deserialize, Serialize};

/// An estimate, a distance or a number of agreeing bits, as two halves, the lower first. A pair may have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairValue([u32; 2]);

impl PairValue {
    /// The value of a pair that was found without such a test: by equal bytes or tokens, or by its features.
    pub const NONE: PairValue = PairValue::of_bits(f64::NAN.to_bits());

    /// Returns the number, if there is one.
    pub fn get(self) -> Option<f64> {
        let number = f64::from_bits(u64::from(self.0[1]) << u32::BITS | u64::from(self.0[0]));
        (!number.is_nan()).then_some(number)
    }

    /// Returns the two halves.
    pub fn words(self) -> [u32; 2] {
        self.0
    }

    /// Creates the value from its halves.
    pub fn of_words(words: [u32; 2]) -> Self {
        PairValue(words)
    }

    const fn of_bits(bits: u64) -> Self {
        PairValue([bits as u32, (bits >> u32::BITS) as u32])
    }
}

impl From<Option<f64>> for PairValue {
    fn from(number: Option<f64>) -> Self {
        number.map_or(PairValue::NONE, |number| PairValue::of_bits(number.to_bits()))
    }
}

impl CompiledPass {
    /// Returns the first test on signatures or whole texts. A test on features needs no value, because the shared features
    /// show its result.
    pub fn deciding(&self) -> Option<&CompiledTest> {
        self.tests.iter().find(|test| matches!(test, CompiledTest::Kept { .. } | CompiledTest::Texts(..)))
    }

    /// Returns the value of two documents, from their sketches or, for a test on texts, from `measured`.
    pub fn value<E>(&self, left: Sketch<'_>, right: Sketch<'_>, measured: impl FnOnce() -> Result<Option<f64>, E>) -> Result<PairValue, E> {
        let number = match self.deciding() {
            Some(&CompiledTest::Kept { part, estimate, .. }) => of_sketches(estimate, part, left, right),
            Some(CompiledTest::Texts(..)) => measured()?,
            _ => None,
        };
        Ok(number.into())
    }
}

/// Returns what `estimate` computes from part `part` of two sketches. `None` if one of them has no values there.
pub fn of_sketches(estimate: Estimate, part: usize, left: Sketch<'_>, right: Sketch<'_>) -> Option<f64> {
    let [left, right] = [left, right].map(|sketch| SketchPart::nth(sketch.parts, part));
    (!left.values.is_empty() && !right.values.is_empty()).then(|| estimate.value(left, right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [None, Some(0.0), Some(1.0 / 3.0), Some(64.0), Some(-1.0)] {
            let value = PairValue::from(number);
            assert_eq!((value.get(), PairValue::of_words(value.words())), (number, value));
        }
        assert_eq!(PairValue::from(None), PairValue::NONE);
    }
}
