//! Measures: how alike two feature sets truly are. Decided by integers only.

mod containment;
mod resemblance;

use crate::ratio::Ratio;
use crate::sketch::Sketch;
use serde::{Deserialize, Serialize};

/// What two sets share and how large they are, in distinct features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Overlap {
    /// |A n B|.
    pub shared: u32,
    /// |A|.
    pub left: u32,
    /// |B|.
    pub right: u32,
}

impl Overlap {
    /// The same overlap seen from the other side.
    pub fn reversed(self) -> Overlap {
        Overlap { shared: self.shared, left: self.right, right: self.left }
    }

    /// |A u B|.
    pub fn union(self) -> u64 {
        u64::from(self.left) + u64::from(self.right) - u64::from(self.shared)
    }

    /// |A n B| / |A u B|, for display; 1 for two empty sets.
    pub fn resemblance(self) -> f64 {
        share(self.shared, self.union())
    }

    /// |A n B| / |A|, for display; 1 for an empty A.
    pub fn left_in_right(self) -> f64 {
        share(self.shared, self.left.into())
    }

    /// |A n B| / |B|, for display; 1 for an empty B.
    pub fn right_in_left(self) -> f64 {
        share(self.shared, self.right.into())
    }
}

fn share(part: u32, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { f64::from(part) / whole as f64 }
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// |A n B| / |A u B|.
    Resemblance,
    /// |A n B| / min(|A|, |B|).
    Containment,
}

/// How a measure is held against a number.
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

/// One condition on a pair.
#[derive(Clone, Debug)]
pub struct Test {
    /// What is measured.
    pub measure: Measure,
    /// How it is compared.
    pub operator: Operator,
    /// The number it is compared with.
    pub ratio: Ratio,
}

impl Test {
    /// Whether the pair meets the condition.
    pub fn holds(&self, overlap: Overlap) -> bool {
        let (part, whole) = match self.measure {
            Measure::Resemblance => resemblance::fraction(overlap),
            Measure::Containment => containment::fraction(overlap),
        };
        let (left, right) = (u128::from(part) * u128::from(self.ratio.denominator), u128::from(whole) * u128::from(self.ratio.numerator));
        match self.operator {
            Operator::AtLeast => left >= right,
            Operator::AtMost => left <= right,
            Operator::Below => left < right,
            Operator::Equal => left == right,
        }
    }

    /// False only when the sketches prove that the condition fails.
    #[inline]
    pub fn possible(&self, left: Sketch<'_>, right: Sketch<'_>) -> bool {
        match (self.operator, self.measure) {
            (Operator::AtLeast | Operator::Equal, Measure::Resemblance) => resemblance::possible(&self.ratio, left, right),
            (Operator::AtLeast | Operator::Equal, Measure::Containment) => containment::possible(&self.ratio, left, right),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sketch<'a>(set: &BTreeSet<u64>, words: &'a mut Vec<u64>) -> Sketch<'a> {
        bitmap::append(&set.iter().copied().collect::<Vec<_>>(), words);
        Sketch { most: set.len() as u32, least: bitmap::ones(words), bitmap: words }
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
            let test = Test { measure, operator: Operator::AtLeast, ratio: Ratio { numerator, denominator: 10 } };
            let overlap = Overlap { shared: left.intersection(&right).count() as u32, left: left.len() as u32, right: right.len() as u32 };
            let (mut l, mut r) = (Vec::new(), Vec::new());
            let possible = test.possible(sketch(&left, &mut l), sketch(&right, &mut r));
            prop_assert!(possible || !test.holds(overlap));
        }
    }
}
