//! The smallest features: a sample of fixed size (Broder 1997; Broder, Glassman, Manasse, Zweig 1997).

use super::{SignatureMethod, Values};
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// MIN_s: the s smallest distinct features, or all features of a set with at most s.
///
/// The s smallest features of a union are among the s smallest of both sides. So two samples show which of those are in
/// both sets: each one is with a probability equal to the resemblance.
#[derive(Clone, Debug)]
pub struct Minima {
    /// s, at least 1.
    pub size: usize,
}

impl Minima {
    /// Replaces `out` with the smallest features, ascending and distinct. Returns whether others are left out.
    pub fn smallest(&self, features: &[u64], out: &mut Vec<u64>) -> bool {
        out.clear();
        out.extend_from_slice(features);
        // A few more than s, because some may be repeats; twice as many if too many were.
        let mut count = self.size + self.size / 8 + 1;
        let mut cut = false;
        while count < out.len() {
            out.select_nth_unstable(count);
            let (smallest, rest) = out.split_at_mut(count);
            smallest.sort_unstable();
            if distinct(smallest) >= self.size {
                cut = rest.iter().any(|feature| feature > &smallest[count - 1]);
                break;
            }
            count *= 2;
        }
        out.truncate(count);
        out.sort_unstable();
        out.dedup();
        cut |= out.len() > self.size;
        out.truncate(self.size);
        cut
    }
}

impl SignatureMethod for Minima {
    const IS_SAMPLE: bool = true;

    /// Writes the smallest `features`, ascending. The level is 1 if others are left out, otherwise 0.
    fn sign(&self, _: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        let cut = self.smallest(features, &mut values.wide);
        values.level = u32::from(cut);
    }
}

/// Returns the number of distinct values in an ascending list.
fn distinct(list: &[u64]) -> usize {
    list.chunk_by(|one, next| one == next).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn equals_the_definition(
            features in proptest::collection::vec(prop_oneof![0u64..200, any::<u64>(), Just(u64::MAX)], 0..600), size in 1usize..150,
        ) {
            let mut values = Values::default();
            Minima { size }.sign(Level::best(), &features, &mut (), &mut values);
            let set: BTreeSet<u64> = features.into_iter().collect();
            prop_assert_eq!(values.level, u32::from(set.len() > size));
            prop_assert_eq!(values.wide, set.into_iter().take(size).collect::<Vec<_>>());
        }
    }
}
