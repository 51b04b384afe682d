//! Length keys: prefix features, partitioned by set size (Theobald, Siddharth, Paepcke 2008; prefixes as in Bayardo et al.
//! 2007).

use super::Prefix;
use super::each::key;
use crate::util::ratio::Ratio;

/// Sizes are divided into partitions 1, 2, ... so that only sets in the same or in neighbouring partitions can reach tau.
/// Every prefix feature of a set in partition k makes two keys: (feature, k) and (feature, k + 1).
///
/// No pair of resemblance tau or more is missed. If |A| <= |B|, then |A n B| >= tau |A u B| implies |A| >= tau |B|.
/// Partition k ends at e(k), with e(k + 1) >= floor(e(k) / tau). From |A| <= e(k) follows |B| <= |A| / tau, thus |B| <=
/// e(k + 1), and B is in k or k + 1. The prefixes share a feature f ([`Prefix`]). A has (f, k) and (f, k + 1). B has (f, k)
/// if it is in k, and (f, k + 1) in either case.
///
/// These are twice as many keys as prefix keys alone, but they propose no pair that is two partitions apart. That means
/// fewer pairs when sets of many sizes contain the same feature, as with the spots of one site.
#[derive(Clone, Debug)]
pub struct Lengths {
    pub(super) prefix: Prefix,
    /// Largest size of every partition, ascending. The last one is the largest size that a set may have.
    ends: Vec<u32>,
}

/// Each partition ends at least 1/`FINEST` above the end of the one before.
const FINEST: u128 = 1024;

impl Lengths {
    /// Creates keys for sets of resemblance `threshold` or more.
    pub fn new(threshold: Ratio) -> Self {
        let (p, q) = (u128::from(threshold.numerator), u128::from(threshold.denominator));
        let next = |end: &u32| {
            // Limits the number of partitions when tau is close to 1.
            let least = u128::from(*end) + 1 + u128::from(*end) / FINEST;
            let end_of_next = u32::try_from((u128::from(*end) * q / p).max(least)).unwrap_or(u32::MAX);
            (*end < u32::MAX).then_some(end_of_next)
        };
        Lengths { prefix: Prefix { threshold }, ends: std::iter::successors(Some(1), next).collect() }
    }

    /// Returns the partition of sets of `size`, from 1.
    fn partition(&self, size: u32) -> u64 {
        1 + self.ends.partition_point(|&end| end < size) as u64
    }

    /// Appends two keys per prefix feature of the ascending distinct `features`.
    pub fn keys(&self, features: &[u64], out: &mut Vec<u32>) {
        let partition = self.partition(features.len() as u32);
        for &feature in self.prefix.features(features) {
            out.extend([partition, partition + 1].map(|partition| key(feature ^ partition.wrapping_mul(0xD6E8_FEB8_6659_FD93))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn reach(threshold: Ratio, small: u32, large: u32) -> bool {
        threshold.at_least(u64::from(small), u64::from(large))
    }

    proptest! {
        #[test]
        fn who_can_reach_tau_stands_in_neighbours(small in 1u32.., p in 1u64..2000, q in 1u64..2000) {
            let threshold = Ratio { numerator: p.min(q), denominator: p.max(q) };
            let lengths = Lengths::new(threshold);
            let most = (u128::from(small) * u128::from(threshold.denominator) / u128::from(threshold.numerator)).min(u128::from(u32::MAX)) as u32;
            prop_assert!(reach(threshold, small, most));
            prop_assert!(lengths.partition(most) <= lengths.partition(small) + 1);
            prop_assert!(lengths.partition(most) >= lengths.partition(small));
        }

        #[test]
        fn who_reaches_tau_shares_a_key(
            left in proptest::collection::btree_set(0u64..60, 1..50), right in proptest::collection::btree_set(0u64..60, 1..50),
            alike in any::<bool>(), p in 1u64..=20,
        ) {
            let right: BTreeSet<u64> = if alike { right.into_iter().take(6).chain(left.iter().copied()).collect() } else { right };
            let threshold = Ratio { numerator: p, denominator: 20 };
            let lengths = Lengths::new(threshold);
            let keys = |set: &BTreeSet<u64>| {
                let mut keys = Vec::new();
                lengths.keys(&set.iter().copied().collect::<Vec<_>>(), &mut keys);
                keys
            };
            let (shared, union) = (left.intersection(&right).count() as u64, left.union(&right).count() as u64);
            let (left, right) = (keys(&left), keys(&right));
            prop_assert!(!threshold.at_least(shared, union) || left.iter().any(|key| right.contains(key)));
        }
    }

    #[test]
    fn partitions_end_where_neighbours_reach() {
        let ends = |tau: &str| Lengths::new(tau.parse().unwrap()).ends;
        assert_eq!(ends("0.44")[..6], [1, 2, 4, 9, 20, 45]);
        assert_eq!(ends("0.8")[..8], [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(ends("0.8")[8..12], [10, 12, 15, 18]);
        for tau in ["0.01", "0.44", "0.999999999", "1"] {
            let ends = ends(tau);
            assert!(ends.is_sorted() && ends.last() == Some(&u32::MAX) && ends.len() < 20_000, "{tau}: {}", ends.len());
        }
    }

    #[test]
    fn sets_two_partitions_apart_share_no_key() {
        let lengths = Lengths::new("0.44".parse().unwrap());
        let keys = |size: u64| {
            let mut keys = Vec::new();
            lengths.keys(&(0..size).collect::<Vec<_>>(), &mut keys);
            keys
        };
        // Sizes 4 and 10 are in partitions 3 and 5; the sets share their smallest features.
        assert!(keys(4).iter().all(|key| !keys(10).contains(key)));
        assert!(keys(4).iter().any(|key| keys(9).contains(key)));
    }
}
