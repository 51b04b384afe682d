//! Rarest keys: a join that misses nothing, whose sets stand in an order that one run chose.

use super::Prefix;
use super::each::key;
use crate::ratio::Ratio;

/// The first n - ceil(tau n) + 1 of n features in a common order; the first n - ceil(2 tau / (1 + tau) n) + 1 of them are
/// written twice. A key that no document wrote twice proposes nothing.
///
/// No pair of resemblance tau or more is missed. With A the smaller set, the two share s features, s >= tau |B| and
/// s >= tau / (1 + tau) (|A| + |B|) >= 2 tau / (1 + tau) |A|. The shared feature that comes first has s - 1 others behind it in
/// either set, so it is among the first |B| - s + 1 of B, and among the first |A| - s + 1 of A: both make a key of it, and A
/// twice. That is the prefix filter with its shorter prefix for the smaller set (Xiao, Wang, Lin, Yu 2008). It tells
/// documents with a long block in common, which resemble each other by less than tau, where prefixes alone do not.
#[derive(Clone, Debug)]
pub struct Rarest {
    prefix: Prefix,
    /// 2 tau / (1 + tau), as a prefix of its own.
    smaller: Prefix,
}

impl Rarest {
    /// Keys for sets of resemblance `threshold` or more.
    pub fn new(threshold: Ratio) -> Self {
        let Ratio { numerator, denominator } = threshold;
        // Terms so large that their sum overflows are no fractions that anybody writes; tau itself is the longer prefix.
        let smaller = numerator.checked_mul(2).zip(numerator.checked_add(denominator));
        let smaller = smaller.map_or(threshold, |(numerator, denominator)| Ratio { numerator, denominator });
        Rarest { prefix: Prefix { threshold }, smaller: Prefix { threshold: smaller } }
    }

    /// Appends the keys of a set whose distinct features stand in the common order.
    pub fn keys(&self, ordered: &[u64], out: &mut Vec<u32>) {
        for prefix in [&self.prefix, &self.smaller] {
            out.extend(prefix.features(ordered).iter().map(|&feature| key(feature)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// How often every key is written.
    fn keys(threshold: Ratio, ordered: &[u64]) -> BTreeMap<u32, usize> {
        let (mut keys, mut counts) = (Vec::new(), BTreeMap::new());
        Rarest::new(threshold).keys(ordered, &mut keys);
        keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
        counts
    }

    fn meet(left: &BTreeMap<u32, usize>, right: &BTreeMap<u32, usize>) -> bool {
        left.iter().any(|(key, count)| right.get(key).is_some_and(|other| count.max(other) > &1))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn who_reaches_tau_meets_in_any_order(
            left in proptest::collection::btree_set(0u64..80, 1..60), right in proptest::collection::btree_set(0u64..80, 1..60),
            alike in any::<bool>(), (p, q) in (1u64..=40, 1u64..=40), order in any::<u64>(),
        ) {
            let right: BTreeSet<u64> = if alike { right.into_iter().take(9).chain(left.iter().copied().skip(3)).collect() } else { right };
            let threshold = Ratio { numerator: p.min(q), denominator: p.max(q) };
            let (shared, union) = (left.intersection(&right).count() as u64, left.union(&right).count() as u64);
            let ordered = |set: &BTreeSet<u64>| {
                let mut ordered: Vec<u64> = set.iter().copied().collect();
                ordered.sort_by_key(|feature| *blake3::hash(&(feature ^ order).to_le_bytes()).as_bytes());
                ordered
            };
            prop_assert!(!threshold.at_least(shared, union) || meet(&keys(threshold, &ordered(&left)), &keys(threshold, &ordered(&right))));
        }
    }

    #[test]
    fn who_shares_too_little_behind_rarer_features_does_not_meet() {
        let set = |own: u64, first: u64| keys("0.8".parse().unwrap(), &(first..first + own).chain(0..100 - own).collect::<Vec<_>>());
        // 87 of 100 shared are a resemblance of 0.77; both prefixes hold some of them.
        assert!(!meet(&set(13, 1000), &set(13, 2000)));
        assert!(set(13, 1000).keys().any(|key| set(13, 2000).contains_key(key)));
        // 89 are one of 0.802.
        assert!(meet(&set(11, 1000), &set(11, 2000)));
    }
}
