//! Measures: the exact similarity of two documents. All decisions use integers only.

mod alphabet;
pub mod bag;
mod bound;
mod containment;
pub mod cosine;
pub mod euclidean;
pub mod hamming;
pub mod lcs;
pub mod levenshtein;
mod resemblance;
#[cfg(test)]
mod samples;
pub mod sim;
mod texts;

use crate::sets::sketch::Sketch;

pub use crate::sets::overlap::Overlap;
pub use bound::{Bound, Operator};
pub use resemblance::ceiling;
pub use texts::{MeasuredContent, TextMeasure};

/// A measure of two feature sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// |A n B| / |A u B|.
    Resemblance,
    /// |A n B| / min(|A|, |B|).
    Containment,
}

impl Measure {
    /// Whether the measure of two sets meets the bound.
    pub fn holds(self, overlap: Overlap, bound: &Bound) -> bool {
        let (part, whole) = self.fraction(overlap);
        bound.admits(part, whole)
    }

    /// Returns the measure of two sets.
    pub fn fraction(self, overlap: Overlap) -> (u64, u64) {
        match self {
            Measure::Resemblance => overlap.fraction(),
            Measure::Containment => containment::fraction(overlap),
        }
    }

    /// Returns false only if the sketches prove that the measure does not meet the bound.
    #[inline]
    pub fn possible(self, left: Sketch<'_>, right: Sketch<'_>, bound: &Bound) -> bool {
        match (bound.operator, self) {
            (Operator::AtLeast | Operator::Equal, Measure::Resemblance) => resemblance::possible(&bound.number, left, right),
            (Operator::AtLeast | Operator::Equal, Measure::Containment) => containment::possible(&bound.number, left, right),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::bitmap;
    use crate::util::ratio::Ratio;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sketch<'a>(set: &BTreeSet<u64>, words: &'a mut Vec<u64>) -> Sketch<'a> {
        bitmap::append(&set.iter().copied().collect::<Vec<_>>(), words);
        Sketch { most: set.len() as u32, least: bitmap::ones(words), bitmap: words, parts: &[] }
    }

    proptest! {
        #[test]
        fn bounds_never_lose_a_pair(
            left in proptest::collection::btree_set(0u64..600, 1..300), right in proptest::collection::btree_set(0u64..600, 1..300),
            merge in any::<bool>(), numerator in 1u64..=10, containment in any::<bool>(),
        ) {
            let right: BTreeSet<u64> = if merge { right.into_iter().take(20).chain(left.iter().copied()).collect() } else { right };
            let spread = |set: &BTreeSet<u64>| set.iter().map(|x| x.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect::<BTreeSet<_>>();
            let (left, right) = (spread(&left), spread(&right));
            let measure = if containment { Measure::Containment } else { Measure::Resemblance };
            let bound = Bound { operator: Operator::AtLeast, number: Ratio { numerator, denominator: 10 } };
            let overlap = Overlap { shared: left.intersection(&right).count() as u32, left: left.len() as u32, right: right.len() as u32 };
            let (mut l, mut r) = (Vec::new(), Vec::new());
            let possible = measure.possible(sketch(&left, &mut l), sketch(&right, &mut r), &bound);
            prop_assert!(possible || !measure.holds(overlap, &bound));
            let (part, whole) = ceiling(sketch(&left, &mut Vec::new()), sketch(&right, &mut Vec::new()));
            let (shared, union) = overlap.fraction();
            prop_assert!(part <= whole && shared * whole <= part * union);
        }
    }
}
