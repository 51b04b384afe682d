//! Keywords: the few terms with the greatest weights in a text (Tianwang, rules 2 to 5).

use super::{Features, tag};
use crate::terms::weigher::Weigher;
use neardup_text::simd::Level;
use std::cmp::Reverse;

/// The N terms with the greatest weights; of equal weights, the smaller fingerprint is first. A text with fewer terms
/// has all of them, and a text without tokens has none.
#[derive(Clone, Debug)]
pub struct Keywords {
    /// N.
    pub count: usize,
    /// Whether each keyword is tagged with its rank, so that only equal lists are equal sets; otherwise, ranks are ignored.
    pub ranked: bool,
    /// Weight of an occurrence: tf, or tf * idf.
    pub weigher: Weigher,
}

impl Keywords {
    /// Appends the keywords with their weights, the heaviest first.
    pub fn weigh(&self, level: Level, tokens: &[u64], out: &mut Vec<(u64, u64)>) {
        let (mut terms, mut weighed) = (Vec::new(), Vec::new());
        Features::TERMS.extract(level, tokens, &mut terms);
        self.weigher.weigh(&mut terms, &mut weighed);
        let heaviest = |&(term, weight): &(u64, u64)| (Reverse(weight), term);
        if self.count < weighed.len() {
            weighed.select_nth_unstable_by_key(self.count, heaviest);
            weighed.truncate(self.count);
        }
        weighed.sort_unstable_by_key(heaviest);
        let ranked = (0..).zip(weighed).map(|(rank, (term, weight))| (if self.ranked { tag(term, rank) } else { term }, weight));
        out.extend(ranked);
    }

    /// Appends one 64-bit feature per keyword.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        let mut weighed = Vec::new();
        self.weigh(level, tokens, &mut weighed);
        out.extend(weighed.into_iter().map(|(keyword, _)| keyword));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::lexicon::Lexicon;
    use neardup_text::fingerprint;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    fn term(token: u64) -> u64 {
        let mut out = Vec::new();
        fingerprint::shingles(&[token], 1, &mut out);
        out[0]
    }

    /// Token t is in t of 40 documents; tokens 20 and above are in none.
    fn weigher() -> Weigher {
        let counts: BTreeMap<u64, u32> = (1..20).map(|token| (term(token), token as u32)).collect();
        let (terms, counts) = counts.into_iter().unzip();
        Weigher::Rarity(Arc::new(Lexicon::new(40, String::new(), terms, counts).unwrap()))
    }

    fn keywords(count: usize, ranked: bool, tokens: &[u64]) -> BTreeSet<u64> {
        let mut out = Vec::new();
        Keywords { count, ranked, weigher: weigher() }.extract(Level::best(), tokens, &mut out);
        let set: BTreeSet<u64> = out.iter().copied().collect();
        assert_eq!(set.len(), out.len());
        set
    }

    /// The heaviest terms in order, by a full sort.
    fn slow(count: usize, tokens: &[u64]) -> Vec<u64> {
        let weigher = weigher();
        let mut weights: BTreeMap<u64, u64> = BTreeMap::new();
        tokens.iter().for_each(|&token| *weights.entry(term(token)).or_insert(0) += u64::from(weigher.weight(term(token))));
        let mut terms: Vec<(u64, u64)> = weights.into_iter().collect();
        terms.sort_by_key(|&(term, weight)| (u64::MAX - weight, term));
        terms.into_iter().take(count).map(|(term, _)| term).collect()
    }

    proptest! {
        #[test]
        fn equal_sets_are_equal_lists(
            left in proptest::collection::vec(1u64..25, 0..40), right in proptest::collection::vec(1u64..25, 0..40), count in 1usize..8,
        ) {
            let [l, r] = [&left, &right].map(|tokens| slow(count, tokens));
            prop_assert_eq!(keywords(count, false, &left), l.iter().copied().collect());
            prop_assert_eq!(keywords(count, true, &left) == keywords(count, true, &right), l == r);
        }
    }

    #[test]
    fn places_that_are_swapped() {
        // Weights 4 idf(7), 3 idf(7), 1 idf(7) ..., tokens 7, 6 and 5 being about as rare.
        let (text, swapped) = ([7, 7, 7, 7, 6, 6, 6, 5], [7, 7, 7, 6, 6, 6, 6, 5]);
        // A swap within the first two changes ranked keywords only.
        assert_ne!(keywords(2, true, &text), keywords(2, true, &swapped));
        assert_eq!(keywords(2, false, &text), keywords(2, false, &swapped));
        // A swap between places N and N + 1 changes the set itself.
        assert_ne!(keywords(1, false, &text), keywords(1, false, &swapped));
        assert_eq!(keywords(3, false, &text).len(), 3);
        assert_eq!((keywords(3, true, &[]).len(), keywords(3, true, &[9]).len()), (0, 1));
    }
}
