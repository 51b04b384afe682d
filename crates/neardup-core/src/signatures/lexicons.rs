//! Randomised lexicons: several digests of one document, each over a different selection of its terms (Kołcz,
//! Chowdhury, Alspector 2004).

use super::{SignatureMethod, Values};
use crate::util::ratio::Ratio;
use crate::util::splitmix::SplitMix;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// K + 1 digests of the terms of a document: one of all terms, and one of the terms in each of K random lexicons. A
/// lexicon lacks each term with probability `share`, and lacks the same terms in every document. A change of terms that
/// a lexicon lacks does not change its digest: one equal digest of the K + 1 is enough.
///
/// A digest is the sum of the hashes of its terms, hashed with the number of its lexicon. It has 64 bits, so the
/// probability that two of n different selections have the same digest is n^2 / 2^65. A lexicon without any of the
/// terms has no digest.
#[derive(Clone, Debug)]
pub struct Lexicons {
    /// One key for each random lexicon.
    keys: Vec<u64>,
    /// A lexicon lacks a term whose hash is below this bound.
    bound: u128,
}

/// An odd number with as many ones as zeros.
const MIX: u64 = 0xD6E8_FEB8_6659_FD93;

impl Lexicons {
    /// Draws `count` random lexicons from `seed`, each without a `share` of the terms.
    pub fn new(count: usize, share: Ratio, seed: u64) -> Self {
        let mut stream = SplitMix::new(seed);
        let keys = (0..count).map(|_| stream.draw()).collect();
        Lexicons { keys, bound: (u128::from(share.numerator) << 64) / u128::from(share.denominator) }
    }

    /// Whether the lexicon of `key` contains `term`.
    #[inline]
    fn keeps(&self, key: u64, term: u64) -> bool {
        u128::from(fold(term ^ key, MIX)) >= self.bound
    }
}

impl SignatureMethod for Lexicons {
    /// Writes the digests of the distinct `terms`, ascending.
    fn sign(&self, _: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        values.set.make(|room| room.extend_from_slice(features));
        let Values { set, wide, .. } = values;
        let terms = set.features();
        let hashes = || terms.iter().map(|&term| fold(term ^ MIX, MIX));
        wide.push(digest(hashes().fold(0, u64::wrapping_add), 0));
        for (number, &key) in (1..).zip(&self.keys) {
            let (mut sum, mut kept) = (0u64, false);
            for (&term, hash) in terms.iter().zip(hashes()) {
                let keeps = self.keeps(key, term);
                sum = sum.wrapping_add(if keeps { hash } else { 0 });
                kept |= keeps;
            }
            wide.extend(kept.then(|| digest(sum, number)));
        }
        wide.sort_unstable();
        wide.dedup();
    }
}

fn digest(sum: u64, number: u64) -> u64 {
    SplitMix::new(sum ^ number.wrapping_mul(MIX)).draw()
}

/// Returns the low half of the product, xor its high half.
#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn spread(term: u64) -> u64 {
        SplitMix::new(term).draw()
    }

    /// The terms in every lexicon; the first one contains all terms.
    fn choices(lexicons: &Lexicons, terms: &BTreeSet<u64>) -> Vec<BTreeSet<u64>> {
        let choice = |&key: &u64| terms.iter().copied().filter(|&term| lexicons.keeps(key, term)).collect();
        std::iter::once(terms.clone()).chain(lexicons.keys.iter().map(choice)).collect()
    }

    fn sign(lexicons: &Lexicons, terms: &BTreeSet<u64>) -> Vec<u64> {
        let mut values = Values::default();
        let features: Vec<u64> = terms.iter().copied().collect();
        lexicons.sign(Level::best(), &features, &mut (), &mut values);
        values.wide
    }

    proptest! {
        #[test]
        fn digests_are_equal_where_choices_are(
            left in proptest::collection::btree_set(0u64..14, 1..10), right in proptest::collection::btree_set(0u64..14, 1..10),
            count in 0usize..9, third in 1u64..3, seed in any::<u64>(),
        ) {
            let lexicons = Lexicons::new(count, Ratio { numerator: third, denominator: 3 }, seed);
            let [left, right] = [left, right].map(|terms| terms.into_iter().map(spread).collect::<BTreeSet<u64>>());
            let [l, r] = [&left, &right].map(|terms| choices(&lexicons, terms));
            let equal = l.iter().zip(&r).filter(|(left, right)| left == right && !left.is_empty()).count();
            let [signed_l, signed_r] = [&left, &right].map(|terms| sign(&lexicons, terms));
            prop_assert_eq!(signed_l.iter().filter(|digest| signed_r.contains(digest)).count(), equal);
            prop_assert_eq!(signed_l.len(), l.iter().filter(|choice| !choice.is_empty()).count());
            prop_assert!(signed_l.is_sorted());
        }
    }

    #[test]
    fn a_lexicon_lacks_its_share() {
        let lexicons = Lexicons::new(10, "1/3".parse().unwrap(), 0);
        let terms: BTreeSet<u64> = (0..30_000).map(spread).collect();
        for choice in &choices(&lexicons, &terms)[1..] {
            // Ten thousand are missing, within seven standard deviations.
            assert!(choice.len().abs_diff(20_000) < 600, "{}", choice.len());
        }
    }

    #[test]
    fn one_changed_term_is_survived_where_a_lexicon_lacks_both() {
        let lexicons = Lexicons::new(10, "1/3".parse().unwrap(), 0);
        let mut found = 0;
        for trial in 0..1000 {
            let terms: BTreeSet<u64> = (0..50).map(|term| spread(100 * trial + term)).collect();
            let mut changed = terms.clone();
            changed.remove(&spread(100 * trial));
            changed.insert(spread(100 * trial + 99));
            let (left, right) = (sign(&lexicons, &terms), sign(&lexicons, &changed));
            found += u32::from(left.iter().any(|digest| right.contains(digest)));
        }
        // P = 1 - (1 - 1/9)^10 = 0.692, within five standard deviations of 0.0146.
        assert!((619..=765).contains(&found), "{found}");
    }
}
