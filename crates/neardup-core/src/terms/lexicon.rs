//! Lexicons: the number of documents of a corpus in which each term occurs.

use crate::terms::idf::idf;
use crate::util::ratio::Ratio;
use crate::util::threads::on_all;
use rayon::prelude::*;
use std::fmt;
use std::ops::RangeInclusive;

/// The document counts of all terms of a corpus, immutable.
///
/// A term is a feature: the 64-bit fingerprint of one token, or of several. It takes about 20 bytes of memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Lexicon {
    documents: u64,
    counted: String,
    terms: Vec<u64>,
    counts: Vec<u32>,
    /// The idf of every term.
    rarities: Vec<u32>,
    /// The idf of a term that is not in the lexicon.
    unseen: u32,
    /// Index of the first term of each range, and at the end the number of terms. The ranges are equal parts of the
    /// 64-bit numbers, as many as there are terms.
    starts: Vec<u32>,
    digest: String,
}

/// Number of terms that are compared at once, without a branch. Terms are fingerprints, so few ranges contain more.
const WINDOW: usize = 4;

impl Lexicon {
    /// Approximate memory of a term, in bytes.
    pub const BYTES: usize = 20;

    /// Creates the lexicon of `documents` documents. `terms` are ascending, and `counts` are the numbers of documents
    /// that contain each. `counted` describes the terms: unit, features and seed, as a scheme writes them.
    ///
    /// # Errors
    /// The reason why these cannot be counts.
    pub fn new(documents: u64, counted: String, terms: Vec<u64>, counts: Vec<u32>) -> Result<Self, String> {
        if terms.len() != counts.len() {
            return Err(format!("it has {} features and {} counts", terms.len(), counts.len()));
        }
        if !terms.is_sorted_by(|left, right| left < right) {
            return Err("its features are not ascending, or one occurs twice".to_owned());
        }
        if let Some(count) = counts.iter().find(|&&count| count == 0 || u64::from(count) > documents) {
            return Err(format!("it counts a feature in {count} of {documents} documents"));
        }
        if u32::try_from(terms.len()).is_err() {
            return Err(format!("it has {} features; a lexicon has at most {}", terms.len(), u32::MAX));
        }
        let starts = starts(&terms);
        let rarities = on_all(|| counts.par_iter().map(|&count| idf(documents, count.into())).collect());
        let digest = digest(documents, &counted, &terms, &counts);
        Ok(Lexicon { documents, counted, terms, counts, rarities, unseen: idf(documents, 0), starts, digest })
    }

    /// Returns the number of documents that were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns what was counted: unit, features and seed, such as `words | shingles:1 seed=0`.
    pub fn counted(&self) -> &str {
        &self.counted
    }

    /// Returns the terms, ascending.
    pub fn terms(&self) -> &[u64] {
        &self.terms
    }

    /// Returns the number of documents that contain each term, in the order of [`Lexicon::terms`].
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Returns the BLAKE3 digest of the number of documents, the text of what was counted, terms and counts, in
    /// hexadecimal. A number takes 8 bytes and a count 4, low byte first; the length precedes a text or list.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns log2((N + 1) / (n + 1)) in steps of 1/1024, for a term in n of N documents; n is 0 if the term is not in
    /// the lexicon.
    #[inline(always)]
    pub fn idf(&self, term: u64) -> u32 {
        let start = range(term, self.starts.len() - 1);
        let (from, to) = (self.starts[start] as usize, self.starts[start + 1] as usize);
        match (self.terms[from..].first_chunk::<WINDOW>(), self.rarities[from..].first_chunk::<WINDOW>()) {
            (Some(terms), Some(rarities)) if to - from <= WINDOW => {
                let mut idf = self.unseen;
                for (&other, &rarity) in terms.iter().zip(rarities) {
                    idf = if other == term { rarity } else { idf };
                }
                idf
            }
            _ => self.terms[from..to].binary_search(&term).map_or(self.unseen, |at| self.rarities[from + at]),
        }
    }

    /// Whether the lexicon contains a term.
    #[inline(always)]
    pub fn has(&self, term: u64) -> bool {
        // A document that contains the term at least halves the quotient, so its idf is at least one whole unit less.
        self.idf(term) < self.unseen
    }

    /// Returns the range of idf between two percentiles, both included.
    ///
    /// The n terms are numbered from 0 in the order of their idf. A percentile p is the idf of number floor(p (n - 1)).
    /// `low` 0 and `high` 1 are no bounds. So terms that are not in the lexicon, which are rarer than all others, are
    /// only in a band that ends at 1.
    pub fn band(&self, low: Ratio, high: Ratio) -> RangeInclusive<u32> {
        let Some(last) = self.terms.len().checked_sub(1) else {
            // Without terms there are no percentiles, and nothing is between two.
            return if (low, high) == (Ratio::ZERO, Ratio::ONE) { 0..=u32::MAX } else { RangeInclusive::new(1, 0) };
        };
        let mut rarities = self.rarities.clone();
        let mut percentile = |share: Ratio| {
            let at = last as u128 * u128::from(share.numerator) / u128::from(share.denominator);
            *rarities.select_nth_unstable(at as usize).1
        };
        let low = if low == Ratio::ZERO { 0 } else { percentile(low) };
        let high = if high == Ratio::ONE { u32::MAX } else { percentile(high) };
        low..=high
    }
}

/// Returns the number of the range that contains `term`, of `count` equal ranges in ascending order.
#[inline]
fn range(term: u64, count: usize) -> usize {
    ((u128::from(term) * count as u128) >> 64) as usize
}

/// Returns the index of the first term of each range, and at the end the number of terms.
fn starts(terms: &[u64]) -> Vec<u32> {
    let count = terms.len().max(1);
    let mut starts = Vec::with_capacity(count + 1);
    for (place, &term) in (0..).zip(terms) {
        starts.resize(starts.len().max(range(term, count) + 1), place);
    }
    starts.resize(count + 1, terms.len() as u32);
    starts
}

fn digest(documents: u64, counted: &str, terms: &[u64], counts: &[u32]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&documents.to_le_bytes());
    hasher.update(&(counted.len() as u64).to_le_bytes()).update(counted.as_bytes());
    hasher.update(&(terms.len() as u64).to_le_bytes()).update(bytemuck::cast_slice(terms)).update(bytemuck::cast_slice(counts));
    hasher.finalize().to_hex().to_string()
}

impl fmt::Debug for Lexicon {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Lexicon({})", self.digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn lexicon(documents: u64, counts: &BTreeMap<u64, u32>) -> Lexicon {
        let (terms, counts) = counts.iter().map(|(&term, &count)| (term, count)).unzip();
        Lexicon::new(documents, "words | shingles:1 seed=0".to_owned(), terms, counts).unwrap()
    }

    fn ratio(text: &str) -> Ratio {
        text.parse().unwrap()
    }

    /// Spread like fingerprints, or close together.
    fn counts() -> impl Strategy<Value = BTreeMap<u64, u32>> {
        let term =
            (0u64..200, any::<bool>()).prop_map(|(term, spread)| if spread { term.wrapping_mul(0x9E37_79B9_7F4A_7C15) } else { term });
        proptest::collection::btree_map(term, 1u32..=40, 0..120)
    }

    proptest! {
        #[test]
        fn terms_are_looked_up(counts in counts(), others in proptest::collection::vec(any::<u64>(), 0..50)) {
            let lexicon = lexicon(40, &counts);
            for term in counts.keys().copied().chain(0..200).chain(others).chain([0, u64::MAX]) {
                prop_assert_eq!(lexicon.idf(term), idf(40, counts.get(&term).copied().unwrap_or(0).into()));
                prop_assert_eq!(lexicon.has(term), counts.contains_key(&term));
            }
        }

        #[test]
        fn bands_are_percentiles(counts in counts(), low in 0u64..=10, high in 0u64..=10) {
            let lexicon = lexicon(40, &counts);
            let [low, high] = [low.min(high), low.max(high)].map(|tenths| Ratio { numerator: tenths, denominator: 10 });
            let mut sorted: Vec<u32> = counts.values().map(|&count| idf(40, count.into())).collect();
            sorted.sort_unstable();
            let percentile = |share: Ratio| sorted[(sorted.len() - 1) * share.numerator as usize / share.denominator as usize];
            let expected = |idf: u32| {
                let is_all = low == Ratio::ZERO && high == Ratio::ONE;
                is_all || !sorted.is_empty() && (low == Ratio::ZERO || idf >= percentile(low)) && (high == Ratio::ONE || idf <= percentile(high))
            };
            let band = lexicon.band(low, high);
            for count in 0..=40 {
                let idf = idf(40, count);
                prop_assert_eq!(band.contains(&idf), expected(idf));
            }
        }
    }

    #[test]
    fn rare_terms_lie_high() {
        // Ten terms, in 10, 9, ... 1 of ten documents: term 1 is in 9 documents, and term 8 in 2.
        let lexicon = lexicon(10, &(0..10).map(|term| (term, 10 - term as u32)).collect());
        let within = |low: &str, high: &str| {
            let band = lexicon.band(ratio(low), ratio(high));
            (0..11).filter(|&term| band.contains(&lexicon.idf(term))).collect::<Vec<u64>>()
        };
        assert_eq!(within("0.1", "0.9"), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(within("0.2", "0.9"), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(within("0.5", "0.5"), [4]);
        assert_eq!(within("0", "0.5"), [0, 1, 2, 3, 4]);
        // Number 10 is not in the lexicon.
        assert_eq!(within("1", "1"), [9, 10]);
        assert_eq!(within("0", "1").len(), 11);
    }

    #[test]
    fn what_cannot_be_counts() {
        let refused = |terms: &[u64], counts: &[u32]| Lexicon::new(3, String::new(), terms.to_vec(), counts.to_vec()).unwrap_err();
        assert!(refused(&[1, 2], &[1]).contains("2 features and 1 counts"));
        assert!(refused(&[2, 1], &[1, 1]).contains("not ascending"));
        assert!(refused(&[1, 1], &[1, 1]).contains("twice"));
        assert!(refused(&[1, 2], &[1, 0]).contains("in 0 of 3"));
        assert!(refused(&[1, 2], &[4, 1]).contains("in 4 of 3"));
    }

    #[test]
    fn the_digest_is_of_everything() {
        let of = |documents: u64, counted: &str, terms: &[u64], counts: &[u32]| {
            Lexicon::new(documents, counted.to_owned(), terms.to_vec(), counts.to_vec()).unwrap().digest().to_owned()
        };
        let digests = [
            of(3, "a", &[1, 2], &[1, 2]),
            of(4, "a", &[1, 2], &[1, 2]),
            of(3, "b", &[1, 2], &[1, 2]),
            of(3, "a", &[1, 3], &[1, 2]),
            of(3, "a", &[1, 2], &[2, 2]),
            of(3, "a", &[1], &[1]),
        ];
        let mut distinct = digests.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), digests.len());
        assert_eq!(digests[0], of(3, "a", &[1, 2], &[1, 2]));
    }
}
