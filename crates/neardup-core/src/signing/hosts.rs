//! Hosts: a sample of the documents of each host, and the shingles that too many of them contain.
//!
//! The sample of a host is a sketch: the documents with the smallest digests (as [`crate::signatures::Minima`] keeps
//! values). Digests are random in all respects that matter, so it is a uniform sample of the host's distinct texts. It
//! contains all texts of a small host, and it does not depend on the order of documents.

use crate::terms::lexicon::Lexicon;
use crate::util::ids::DocId;
use crate::util::ratio::Ratio;
use std::collections::BTreeMap;

/// Maximum number of documents in the sample of one host. A share of 0.05 of them has a standard error of 0.014.
pub const MOST: usize = 256;
/// Minimum number of documents of a host that contain a shingle of its frame, as estimated from the sample. Fewer could be
/// versions of one page.
pub const LEAST: u64 = 20;

/// A document of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostPage {
    /// Hash of the host's name.
    pub host: u64,
    /// Hash of the text. Equal texts of one host count once.
    pub text: u64,
    /// Number of the document.
    pub document: DocId,
}

/// A host and its sample of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Number of distinct texts of the host.
    pub texts: u64,
    /// Documents with the smallest digests.
    pub sample: Vec<DocId>,
}

/// Returns the hosts that have enough texts for a frame, each with its sample.
pub fn sample(mut pages: Vec<HostPage>) -> Vec<Host> {
    pages.sort_unstable();
    pages.dedup_by_key(|page| (page.host, page.text));
    let hosts = pages.chunk_by(|left, right| left.host == right.host).filter(|pages| pages.len() as u64 >= LEAST);
    let host = |pages: &[HostPage]| Host { texts: pages.len() as u64, sample: pages.iter().take(MOST).map(|page| page.document).collect() };
    hosts.map(host).collect()
}

impl Host {
    /// Returns the frame of the host: the shingles that more than `share` of the sample contain, and at least [`LEAST`]
    /// documents of the host, as estimated from the sample. Each comes with the number of documents in the sample that
    /// contain it. `shingles` is ascending and repeats each shingle once per document of the sample.
    pub fn frame(&self, shingles: &[u64], share: Ratio) -> Vec<(u64, u32)> {
        let sample = self.sample.len() as u64;
        let is_frame = |held: u64| {
            let above = u128::from(held) * u128::from(share.denominator) > u128::from(sample) * u128::from(share.numerator);
            above && held * self.texts >= LEAST * sample
        };
        let runs = shingles.chunk_by(|left, right| left == right).filter(|run| is_frame(run.len() as u64));
        runs.map(|run| (run[0], run.len() as u32)).collect()
    }
}

/// Joins the frames of all hosts. The count of a shingle is the sum over all hosts that have it in their frame; `documents`
/// is the number of documents in all samples.
///
/// # Errors
/// The reason, if there are more shingles than a lexicon can have.
pub fn join(frames: impl IntoIterator<Item = (u64, u32)>, documents: u64, counted: &str) -> Result<Lexicon, String> {
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    frames.into_iter().for_each(|(shingle, held)| *counts.entry(shingle).or_insert(0) += held);
    let (shingles, counts) = counts.into_iter().unzip();
    Lexicon::new(documents, counted.to_owned(), shingles, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeSet, HashMap};

    proptest! {
        #[test]
        fn samples_are_the_smallest_digests_in_any_order(
            pages in proptest::collection::vec((0u64..4, 0u64..600), 0..2000).prop_shuffle(),
        ) {
            let numbered = DocId::FIRST.onwards().zip(&pages).map(|(document, &(host, text))| HostPage { host, text, document });
            let mut expected: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
            pages.iter().for_each(|&(host, text)| { expected.entry(host).or_default().insert(text); });
            expected.retain(|_, texts| texts.len() >= 20);
            let found = sample(numbered.collect());
            prop_assert_eq!(found.len(), expected.len());
            for (host, texts) in found.iter().zip(expected.values()) {
                prop_assert_eq!(host.texts, texts.len() as u64);
                let sampled: Vec<u64> = host.sample.iter().map(|&document| pages[document.index()].1).collect();
                prop_assert_eq!(sampled, texts.iter().copied().take(256).collect::<Vec<_>>());
            }
        }

        #[test]
        fn frames_are_what_too_many_hold(
            sets in proptest::collection::vec(proptest::collection::btree_set(0u64..12, 0..9), 20..60), texts in 60u64..300, hundredths in 1u64..100,
        ) {
            let host = Host { texts, sample: DocId::first(sets.len()).collect() };
            let mut shingles: Vec<u64> = sets.iter().flatten().copied().collect();
            shingles.sort_unstable();
            let mut held: HashMap<u64, u64> = HashMap::new();
            shingles.iter().for_each(|shingle| *held.entry(*shingle).or_insert(0) += 1);
            let found: BTreeMap<u64, u32> = host.frame(&shingles, Ratio { numerator: hundredths, denominator: 100 }).into_iter().collect();
            for (shingle, held) in held {
                let is_frame = 100 * held > hundredths * sets.len() as u64 && held * texts >= 20 * sets.len() as u64;
                prop_assert_eq!(found.get(&shingle).copied(), is_frame.then_some(held as u32));
            }
        }
    }

    #[test]
    fn a_host_of_few_texts_has_no_frame() {
        let pages = |count: u64, copies: u32| {
            (0..count)
                .flat_map(move |text| (0..copies).map(move |copy| HostPage { host: 1, text, document: DocId(text as u32 * copies + copy) }))
        };
        assert_eq!(sample(pages(19, 5).collect()), []);
        let [host] = &sample(pages(20, 5).collect())[..] else { panic!("one host") };
        assert_eq!((host.texts, host.sample.len()), (20, 20));
        // In all twenty documents it is frame; in nineteen it is not, because these could be versions of one page.
        assert_eq!(host.frame(&[7; 20], Ratio { numerator: 1, denominator: 2 }), [(7, 20)]);
        assert_eq!(host.frame(&[7; 19], Ratio { numerator: 1, denominator: 2 }), []);
    }

    #[test]
    fn frames_of_hosts_are_joined() {
        let frame = join([(5, 20), (3, 21), (5, 30)], 90, "frames of words | shingles:5 seed=0").unwrap();
        assert_eq!((frame.terms(), frame.counts()), (&[3, 5][..], &[21, 50][..]));
        assert!(frame.has(5) && !frame.has(4));
    }
}
