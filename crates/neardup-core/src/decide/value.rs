//! What decides: the number of a pair that the first test on signatures or whole texts compares, for display.

use crate::estimates::Estimate;
use crate::pass::compiled::CompiledPass;
use crate::pass::test::CompiledTest;
use crate::sets::parts::SketchPart;
use crate::sets::sketch::Sketch;
use serde::{Deserialize, Serialize};

/// An estimate, a distance or how many bits agree, in two halves, the lower first; a pair may have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairValue([u32; 2]);

impl PairValue {
    /// Of a pair that was found without such a test: by equal bytes or tokens, or by its features.
    pub const NONE: PairValue = PairValue::of_bits(f64::NAN.to_bits());

    /// The number.
    pub fn get(self) -> Option<f64> {
        let number = f64::from_bits(u64::from(self.0[1]) << u32::BITS | u64::from(self.0[0]));
        (!number.is_nan()).then_some(number)
    }

    /// The halves.
    pub fn words(self) -> [u32; 2] {
        self.0
    }

    /// What these halves are of.
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
    /// The first test that looks at signatures or whole texts; what features decide is known by what they share.
    pub fn deciding(&self) -> Option<&CompiledTest> {
        self.tests.iter().find(|test| matches!(test, CompiledTest::Kept { .. } | CompiledTest::Texts(..)))
    }

    /// The number of two documents, by their sketches or else as `measured` on their texts.
    pub fn value<E>(&self, left: Sketch<'_>, right: Sketch<'_>, measured: impl FnOnce() -> Result<Option<f64>, E>) -> Result<PairValue, E> {
        let number = match self.deciding() {
            Some(&CompiledTest::Kept { part, estimate, .. }) => of_sketches(estimate, part, left, right),
            Some(CompiledTest::Texts(..)) => measured()?,
            _ => None,
        };
        Ok(number.into())
    }
}

/// What `estimate` says of the part of this number of two sketches; None where one has no values there.
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
