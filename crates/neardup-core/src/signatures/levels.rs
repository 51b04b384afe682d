//! A sample of bounded size that still estimates containment (Broder, Glassman, Manasse, Zweig 1997).

use super::{SignatureMethod, Values};
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// V_i: those of n distinct features that are 0 mod 2^i. The level is i = max(0, floor(log2(n / N))), so a document
/// with at least N features is expected to have N to 2N of them in its sample.
///
/// V_(i+1) is a filter of V_i: two documents are compared at the coarser of their levels.
#[derive(Clone, Debug)]
pub struct Levels {
    /// N, at least 1.
    pub least: usize,
}

impl SignatureMethod for Levels {
    const IS_SAMPLE: bool = true;
    const HAS_LEVELS: bool = true;

    /// Writes the `features` of the sample, ascending and distinct, and their level.
    fn sign(&self, _: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        values.set.make(|room| room.extend_from_slice(features));
        let distinct = values.set.features();
        values.level = (distinct.len() / self.least).max(1).ilog2();
        let kept = kept_at(values.level);
        values.wide.extend(distinct.iter().copied().filter(|&feature| kept(feature)));
        values.wide.sort_unstable();
    }
}

/// Returns whether a level keeps a value.
pub fn kept_at(level: u32) -> impl Fn(u64) -> bool {
    let mask = (1 << level) - 1;
    move |value| value & mask == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::splitmix::SplitMix;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_the_definition(count in 0usize..900, repeats in 0usize..50, least in 1usize..120, seed in any::<u64>()) {
            let mut stream = SplitMix::new(seed);
            let mut features: Vec<u64> = (0..count).map(|_| stream.draw()).collect();
            features.extend_from_within(..repeats.min(count));
            let mut values = Values::default();
            Levels { least }.sign(Level::best(), &features, &mut (), &mut values);
            // The largest i with least * 2^i <= n.
            let level = (0..).take_while(|&i| i == 0 || least << i <= count).last().unwrap_or(0);
            let kept = |level: u32| features.iter().copied().filter(|feature| feature % (1 << level) == 0).collect::<BTreeSet<u64>>();
            prop_assert_eq!(values.level, level);
            prop_assert_eq!(&values.wide, &kept(level).into_iter().collect::<Vec<_>>());
            let filtered: Vec<u64> = values.wide.iter().copied().filter(|&value| kept_at(level + 1)(value)).collect();
            prop_assert_eq!(filtered, kept(level + 1).into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn fifty_to_a_hundred_are_expected() {
        for (count, level) in [(1u64, 0u32), (99, 0), (100, 1), (199, 1), (200, 2), (51_200, 10), (100_000, 10)] {
            let mut stream = SplitMix::new(count);
            let features: Vec<u64> = (0..count).map(|_| stream.draw()).collect();
            let mut values = Values::default();
            Levels { least: 50 }.sign(Level::best(), &features, &mut (), &mut values);
            assert_eq!(values.level, level);
            // Five standard errors; the draws are fixed.
            let (expected, found) = (count >> level, values.wide.len() as u64);
            assert!(level == 0 && found == count || found.abs_diff(expected) < 50, "{count}: {found}");
        }
    }
}
