//! The smallest features: a sample of fixed size (Broder 1997; Broder, Glassman, Manasse, Zweig 1997).

use super::Values;

/// MIN_s: the s smallest distinct features, or all of a set that has no more.
///
/// The s smallest of a union are among those of both sides, so two samples tell which of the union's stand in both:
/// each of them does with a probability equal to the resemblance.
#[derive(Clone, Debug)]
pub struct Minima {
    /// s: 1 and more.
    pub size: usize,
}

impl Minima {
    /// Writes the smallest `features`, ascending; the level is 1 where features are left out, else 0.
    pub fn sign(&self, features: &[u64], values: &mut Values) {
        let cut = self.smallest(features, &mut values.wide);
        values.level = u32::from(cut);
    }

    /// Makes `out` the smallest features, ascending and distinct; whether others are left out.
    pub fn smallest(&self, features: &[u64], out: &mut Vec<u64>) -> bool {
        let room = (2 * self.size).max(LEAST_ROOM);
        let (mut bound, mut cut) = (u64::MAX, false);
        out.clear();
        for &feature in features {
            // No feature above the s-th smallest so far can come in any more.
            if feature <= bound {
                out.push(feature);
                if out.len() == room {
                    cut |= self.settle(out);
                    bound = if out.len() == self.size { out[self.size - 1] } else { u64::MAX };
                }
            } else {
                cut = true;
            }
        }
        self.settle(out) || cut
    }

    /// Makes the list ascending, distinct and short enough; whether it was too long.
    fn settle(&self, list: &mut Vec<u64>) -> bool {
        list.sort_unstable();
        list.dedup();
        let cut = list.len() > self.size;
        list.truncate(self.size);
        cut
    }
}

/// Small samples are settled rarely, too.
const LEAST_ROOM: usize = 64;

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
            Minima { size }.sign(&features, &mut values);
            let set: BTreeSet<u64> = features.into_iter().collect();
            prop_assert_eq!(values.level, u32::from(set.len() > size));
            prop_assert_eq!(values.wide, set.into_iter().take(size).collect::<Vec<_>>());
        }
    }
}
