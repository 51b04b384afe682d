//! Hosts: a sample of the documents of each host, and the shingles that too many of them contain.
//!
//! The sample of a host is a sketch: the documents with the smallest digests (as [`crate::signatures::Minima`] keeps
//! values). Digests are random in all respects that matter, so it is a uniform sample of the host's distinct texts. It
//! contains all texts of a small host, and it does not depend on the order of documents.

use crate::terms::lexicon::Lexicon;
use crate::util::ids::DocId;
use crate::util::ratio::Ratio;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of documents in the sample of one host. A share of 0.05 of them has a standard error of 0.014.
pub const MOST: usize = 256;
/// Minimum number of documents of a host that contain a shingle of its frame, as estimated from the sample. Fewer could be
/// versions of one page.
pub const LEAST: u64 = 20;

/// A document of a host, numbered by a `D`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HostPage<D = DocId> {
    /// Hash of the host's name.
    pub host: u64,
    /// Hash of the text. Equal texts of one host count once.
    pub text: u64,
    /// Number of the document.
    pub document: D,
}

/// A host, or a part of its texts, with the sample of the documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host<D = DocId> {
    /// Hash of the host's name.
    pub host: u64,
    /// Number of distinct texts.
    pub texts: u64,
    /// The documents with the smallest digests, ascending by these.
    pub sample: Vec<HostPage<D>>,
}

/// Returns the hosts that have enough texts for a frame, each with its sample.
pub fn sample(pages: Vec<HostPage>) -> Vec<Host> {
    large(group(pages))
}

/// Returns the hosts of documents, ascending, each with the sample of its texts.
pub fn group<D: Ord + Copy>(mut pages: Vec<HostPage<D>>) -> Vec<Host<D>> {
    pages.sort_unstable();
    pages.dedup_by_key(|page| (page.host, page.text));
    let host =
        |pages: &[HostPage<D>]| Host { host: pages[0].host, texts: pages.len() as u64, sample: pages.iter().take(MOST).copied().collect() };
    pages.chunk_by(|left, right| left.host == right.host).map(host).collect()
}

/// Merges hosts whose texts were divided, so that no text is in two parts.
pub fn merge<D: Ord + Copy>(mut parts: Vec<Host<D>>) -> Vec<Host<D>> {
    parts.sort_unstable_by_key(|part| part.host);
    let host = |parts: &[Host<D>]| {
        let mut sample: Vec<HostPage<D>> = parts.iter().flat_map(|part| part.sample.iter().copied()).collect();
        sample.sort_unstable();
        sample.truncate(MOST);
        Host { host: parts[0].host, texts: parts.iter().map(|part| part.texts).sum(), sample }
    };
    parts.chunk_by(|left, right| left.host == right.host).map(host).collect()
}

/// Returns the hosts that have enough texts for a frame.
pub fn large<D>(hosts: Vec<Host<D>>) -> Vec<Host<D>> {
    hosts.into_iter().filter(|host| host.texts >= LEAST).collect()
}

/// Returns the frame of a host of `texts` distinct texts, of which `sampled` are in the sample: the shingles that more than `share` of
/// the sample contain, and at least [`LEAST`] documents of the host, as estimated from the sample. Each comes with the number of
/// documents in the sample that contain it. `shingles` is ascending and repeats each shingle once per document of the sample.
pub fn frame(texts: u64, sampled: u64, shingles: &[u64], share: Ratio) -> Vec<(u64, u32)> {
    let is_frame = |held: u64| {
        let above = u128::from(held) * u128::from(share.denominator) > u128::from(sampled) * u128::from(share.numerator);
        above && held * texts >= LEAST * sampled
    };
    let runs = shingles.chunk_by(|left, right| left == right).filter(|run| is_frame(run.len() as u64));
    runs.map(|run| (run[0], run.len() as u32)).collect()
}

impl<D> Host<D> {
    /// See [`frame`].
    pub fn frame(&self, shingles: &[u64], share: Ratio) -> Vec<(u64, u32)> {
        frame(self.texts, self.sample.len() as u64, shingles, share)
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
            // Texts that are divided by any rule give the same samples.
            let parts = (0..3).flat_map(|part| {
                let of_part = |&(document, &(host, text)): &(DocId, &(u64, u64))| {
                    (text % 3 == part).then_some(HostPage { host, text, document })
                };
                group(DocId::FIRST.onwards().zip(&pages).filter_map(|page| of_part(&page)).collect())
            });
            prop_assert_eq!(&large(merge(parts.collect())), &found);
            for (host, texts) in found.iter().zip(expected.values()) {
                prop_assert_eq!(host.texts, texts.len() as u64);
                let sampled: Vec<u64> = host.sample.iter().map(|page| page.text).collect();
                prop_assert!(host.sample.iter().all(|page| pages[page.document.index()] == (host.host, page.text)));
                prop_assert_eq!(sampled, texts.iter().copied().take(256).collect::<Vec<_>>());
            }
        }

        #[test]
        fn frames_are_what_too_many_hold(
            sets in proptest::collection::vec(proptest::collection::btree_set(0u64..12, 0..9), 20..60), texts in 60u64..300, hundredths in 1u64..100,
        ) {
            let page = |document| HostPage { host: 0, text: 0, document };
            let host = Host { host: 0, texts, sample: DocId::first(sets.len()).map(page).collect() };
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
