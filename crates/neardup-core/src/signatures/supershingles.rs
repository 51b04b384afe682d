//! Super-shingles: shingles of a sketch (Broder, Glassman, Manasse, Zweig 1997).

use super::{Minima, SignatureMethod, Values};
use neardup_text::fingerprint;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// The s smallest features in ascending order, shingled once more. Documents that share a super-shingle agree in
/// `width` features that are consecutive in that order, so they are similar. Fewer features than that make one
/// super-shingle of all.
#[derive(Clone, Debug)]
pub struct SuperShingles {
    /// s.
    pub size: usize,
    /// Number of minima in a super-shingle.
    pub width: usize,
}

impl SignatureMethod for SuperShingles {
    /// Writes the hashes of the super-shingles, ascending and distinct.
    fn sign(&self, level: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        let mut minima = Vec::new();
        Minima { size: self.size }.smallest(features, &mut minima);
        fingerprint::shingles_on(level, &minima, self.width, &mut values.wide);
        values.wide.sort_unstable();
        values.wide.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sign(size: usize, width: usize, features: &[u64]) -> Vec<u64> {
        let mut values = Values::default();
        SuperShingles { size, width }.sign(Level::best(), features, &mut (), &mut values);
        values.wide
    }

    proptest! {
        #[test]
        fn who_agrees_in_a_run_shares_one(
            left in proptest::collection::btree_set(0u64..60, 1..50), right in proptest::collection::btree_set(0u64..60, 1..50),
            size in 1usize..50, width in 1usize..6,
        ) {
            let runs = |set: &BTreeSet<u64>| {
                let minima: Vec<u64> = set.iter().copied().take(size).collect();
                minima.windows(width.min(minima.len())).map(<[u64]>::to_vec).collect::<BTreeSet<_>>()
            };
            let signed = |set: &BTreeSet<u64>| sign(size, width, &set.iter().rev().chain(set).copied().collect::<Vec<_>>());
            let (l, r) = (signed(&left), signed(&right));
            prop_assert!(l.is_sorted_by(|one, next| one < next));
            prop_assert_eq!((l.len(), r.len()), (runs(&left).len(), runs(&right).len()));
            let shared = l.iter().filter(|value| r.contains(value)).count();
            prop_assert_eq!(shared, runs(&left).intersection(&runs(&right)).count());
        }
    }

    #[test]
    fn few_minima_make_one() {
        let features: Vec<u64> = (0..13).collect();
        assert_eq!(sign(200, 14, &features).len(), 1);
        assert_eq!(sign(200, 14, &(0..500).collect::<Vec<_>>()).len(), 187);
        assert_ne!(sign(200, 14, &features), sign(200, 14, &features[1..]));
    }
}
