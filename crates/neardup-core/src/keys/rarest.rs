//! Rarest keys: an exact join by the features that the fewest documents contain.

use super::each::key;
use super::{ChunkKeys, Prefix, Reach};
use crate::sets::set::Set;
use crate::terms::frequencies::Frequencies;
use crate::util::ratio::Ratio;

/// The features of a document are sorted in a common order, the rarest first. Of n features, the first n - ceil(tau n) + 1
/// are keys, except those that no other document contains. Each key stores how far its document reaches from there
/// ([`Reach`]). A key proposes only documents that reach another one.
///
/// No pair of resemblance tau or more is missed. Two such sets A and B share s >= 1 features, with s >= tau |A| and s >=
/// tau |B|. The first shared feature has s - 1 shared ones after it in either set. So it is among the first |A| - s + 1 of
/// A and among the first |B| - s + 1 of B. Both make a key of it, because two documents contain it, and there they reach
/// each other. That is the prefix filter (Chaudhuri, Ganti, Kaushik 2006), and the filter by places.
///
/// The proof needs only that all sets are sorted in the same order. So features may share a counter, and counters may
/// saturate. But a feature that was counted once must really be in one document only.
///
/// Features that no other document contains come first in the order. If a document has so many that the rest is too small
/// to resemble any other document, it has no key at all. That is known before its features are made distinct.
#[derive(Clone, Debug)]
pub struct Rarest {
    prefix: Prefix,
}

/// Buffers for cutting the keys of one document after another.
#[derive(Default)]
pub struct RarestScratch {
    set: Set,
    ranked: Vec<(u8, u64)>,
}

impl Rarest {
    /// Creates keys for sets of resemblance `threshold` or more.
    pub fn new(threshold: Ratio) -> Self {
        Rarest { prefix: Prefix { threshold } }
    }

    /// Returns the resemblance from which two sets always share a key.
    pub fn threshold(&self) -> Ratio {
        self.prefix.threshold
    }

    /// Appends the keys of a document to `out`. Its features may be repeated. `frequencies` must count them, and those of
    /// all documents that it may meet.
    pub fn cut(&self, features: &[u64], frequencies: &Frequencies, room: &mut RarestScratch, out: &mut ChunkKeys) {
        let RarestScratch { set, ranked } = room;
        // A feature that was counted once is not repeated here either.
        let rank = |feature: u64| (frequencies.of(feature), feature);
        ranked.clear();
        ranked.extend(features.iter().map(|&feature| rank(feature)).filter(|ranked| ranked.0 > 1));
        let own = features.len() - ranked.len();
        // The prefix does not become longer when repeated features are removed.
        if own >= self.prefix.length(features.len()) {
            return;
        }
        set.make(|room| room.extend(ranked.iter().map(|ranked| ranked.1)));
        if set.features().len() < ranked.len() {
            ranked.clear();
            ranked.extend(set.features().iter().map(|&feature| rank(feature)));
        }
        let size = own + ranked.len();
        let first = self.prefix.length(size).saturating_sub(own);
        if first < ranked.len() {
            ranked.select_nth_unstable(first);
            ranked.truncate(first);
        }
        ranked.sort_unstable();
        out.keys.extend(ranked.iter().map(|ranked| key(ranked.1)));
        out.reaches.extend((own..own + ranked.len()).map(|place| Reach::new(self.threshold(), size, size - place)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::frequencies;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn counted(documents: &[Vec<u64>], cells: usize) -> Frequencies {
        let (frequencies, mut room) = (Frequencies::new(cells), frequencies::FrequencyScratch::default());
        documents.iter().for_each(|features| frequencies.count(features, &mut room));
        frequencies
    }

    /// Returns the keys of a document, each with the furthest reach from it.
    fn keys(threshold: Ratio, features: &[u64], frequencies: &Frequencies) -> BTreeMap<u32, Reach> {
        let mut rows = ChunkKeys::default();
        Rarest::new(threshold).cut(features, frequencies, &mut RarestScratch::default(), &mut rows);
        furthest(rows.keys.into_iter().zip(rows.reaches))
    }

    fn furthest(keys: impl Iterator<Item = (u32, Reach)>) -> BTreeMap<u32, Reach> {
        keys.fold(BTreeMap::new(), |mut keys, (key, reach)| {
            let furthest = keys.entry(key).or_insert(reach);
            *furthest = reach.max(*furthest);
            keys
        })
    }

    fn meet(left: &BTreeMap<u32, Reach>, right: &BTreeMap<u32, Reach>) -> bool {
        left.iter().any(|(key, reach)| right.get(key).is_some_and(|other| reach.meets(*other)))
    }

    /// The same, step by step: all distinct features in order, and from the prefix those that are counted more than once.
    fn slow(threshold: Ratio, features: &[u64], frequencies: &Frequencies) -> BTreeMap<u32, Reach> {
        let order: BTreeSet<(u8, u64)> = features.iter().map(|&feature| (frequencies.of(feature), feature)).collect();
        let n = order.len();
        let prefix = order.iter().zip(0..).take(Prefix { threshold }.length(n)).filter(|(ranked, _)| ranked.0 > 1);
        furthest(prefix.map(|(ranked, place)| (key(ranked.1), Reach::new(threshold, n, n - place))))
    }

    /// Documents of few features, so that several contain the same ones. Some are near-copies of the one before, and
    /// features repeat.
    fn documents() -> impl Strategy<Value = Vec<Vec<u64>>> {
        let document = (proptest::collection::vec(0u64..200, 1..40), 0usize..6, any::<bool>());
        proptest::collection::vec(document, 2..24).prop_map(|documents| {
            let mut all: Vec<Vec<u64>> = Vec::new();
            for (fresh, changes, alike) in documents {
                let near = all
                    .last()
                    .filter(|_| alike)
                    .map(|before| [&fresh[..changes.min(fresh.len())], &before[before.len().min(changes)..]].concat());
                all.push(near.filter(|near| !near.is_empty()).unwrap_or(fresh));
            }
            all
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn who_reaches_tau_meets(documents in documents(), (p, q) in (1u64..=40, 1u64..=40), cells in 1usize..2000) {
            let threshold = Ratio { numerator: p.min(q), denominator: p.max(q) };
            let frequencies = counted(&documents, cells);
            let sets: Vec<BTreeSet<u64>> = documents.iter().map(|features| features.iter().copied().collect()).collect();
            let keys: Vec<_> = documents.iter().map(|features| keys(threshold, features, &frequencies)).collect();
            for (at, features) in documents.iter().enumerate() {
                prop_assert_eq!(&keys[at], &slow(threshold, features, &frequencies));
                for before in 0..at {
                    let (shared, union) = (sets[at].intersection(&sets[before]).count(), sets[at].union(&sets[before]).count());
                    prop_assert!(!threshold.at_least(shared as u64, union as u64) || meet(&keys[at], &keys[before]));
                }
            }
        }
    }

    #[test]
    fn who_shares_too_little_behind_rarer_features_does_not_meet() {
        // All documents contain the first features below 100; `own` other features are in two documents each.
        let document = |own: u64, first: u64| (first..first + own).chain(0..100 - own).collect::<Vec<u64>>();
        let meet_with = |own: u64| {
            let documents = [document(own, 1000), document(own, 1000), document(own, 2000), document(own, 2000)];
            let frequencies = counted(&documents, 1 << 16);
            let [one, _, other, _] = documents.map(|features| keys("0.8".parse().unwrap(), &features, &frequencies));
            (meet(&one, &other), one.keys().any(|key| other.contains_key(key)))
        };
        // 87 of 100 shared are a resemblance of 0.77; both prefixes contain some of them. 89 are one of 0.802.
        assert_eq!(meet_with(13), (false, true));
        assert_eq!(meet_with(11), (true, true));
    }

    #[test]
    fn who_shares_too_little_with_all_others_has_no_key() {
        // 22 features of 100 are in no other document: not even a set of the 78 others resembles it by 0.8. With 20, one
        // may.
        let documents = |own: u64| [(0..100).collect::<Vec<u64>>(), (own..100).collect(), (own..100).collect()];
        let count = |own: u64| {
            let documents = documents(own);
            keys("0.8".parse().unwrap(), &documents[0], &counted(&documents, 1 << 16)).len()
        };
        assert_eq!([22, 21, 20, 0].map(count), [0, 0, 1, 21]);
    }
}
