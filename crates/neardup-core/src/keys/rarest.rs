//! Rarest keys: a join that misses nothing, whose sets stand in an order that one run chose.

use super::each::key;
use crate::ratio::Ratio;

/// Sizes are cut in partitions, and a set of n features meets those of one partition by its n - alpha + 1 first features,
/// with alpha the least that it shares with any of them it resembles by tau: the positions that Xiao, Wang, Lin and Yu (2008)
/// check pair by pair are here in the keys.
///
/// No pair of resemblance tau or more is missed. From |A n B| >= tau |A u B| follow |A n B| >= tau / (1 + tau) (|A| + |B|),
/// >= tau |A| and >= tau |B|, so alpha(A) for the partition of B is at most |A n B|, and the other way round. Of the shared
/// features the first in the common order has |A n B| - 1 others behind it in either set, so that it is among the first
/// |A| - |A n B| + 1 of A, and of B alike. Both make a key of it, the two partitions and no more.
#[derive(Clone, Debug)]
pub struct Rarest {
    threshold: Ratio,
    /// The largest size of every partition, ascending; the last one is that of the largest set.
    ends: Vec<u32>,
}

/// So many partitions or a few more lie between a size and the smallest that can resemble it.
const STEPS: u128 = 3;
/// A partition grows by this part of its end or more.
const FINEST: u128 = 1024;

impl Rarest {
    /// Keys for sets of resemblance `threshold` or more.
    pub fn new(threshold: Ratio) -> Self {
        let (p, q) = (u128::from(threshold.numerator), u128::from(threshold.denominator));
        let next = |&end: &u32| {
            let wide = u128::from(end);
            let growth = (wide * (q - p) / (STEPS * q)).max(wide / FINEST).max(1);
            (end < u32::MAX).then(|| u32::try_from(wide + growth).unwrap_or(u32::MAX))
        };
        Rarest { threshold, ends: std::iter::successors(Some(1), next).collect() }
    }

    /// Appends the keys of a set whose distinct features stand in the common order.
    pub fn keys(&self, ordered: &[u64], out: &mut Vec<u32>) {
        let size = ordered.len() as u128;
        let (p, q) = (u128::from(self.threshold.numerator), u128::from(self.threshold.denominator));
        let own = self.partition(size);
        for other in self.partition((size * p).div_ceil(q))..=self.partition(size * q / p) {
            let least = self.ends[..other].last().map_or(1, |&end| u128::from(end) + 1);
            let alpha = ((size + least) * p).div_ceil(p + q).max((size.max(least) * p).div_ceil(q));
            let first = ordered.len().min((size + 1).saturating_sub(alpha) as usize);
            let both = (own.min(other) << 32 | own.max(other)) as u64;
            out.extend(ordered[..first].iter().map(|&feature| key(feature ^ both.wrapping_mul(0xD6E8_FEB8_6659_FD93))));
        }
    }

    /// The partition of sets of `size`.
    fn partition(&self, size: u128) -> usize {
        self.ends.partition_point(|&end| u128::from(end) < size).min(self.ends.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn keys(rarest: &Rarest, set: &BTreeSet<u64>, order: u64) -> BTreeSet<u32> {
        let mut ordered: Vec<u64> = set.iter().copied().collect();
        ordered.sort_by_key(|feature| blake3::hash(&(feature ^ order).to_le_bytes()).as_bytes()[0]);
        let mut keys = Vec::new();
        rarest.keys(&ordered, &mut keys);
        keys.into_iter().collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn who_reaches_tau_shares_a_key_in_any_order(
            left in proptest::collection::btree_set(0u64..80, 1..60), right in proptest::collection::btree_set(0u64..80, 1..60),
            alike in any::<bool>(), (p, q) in (1u64..=40, 1u64..=40), order in any::<u64>(),
        ) {
            let right: BTreeSet<u64> = if alike { right.into_iter().take(9).chain(left.iter().copied().skip(3)).collect() } else { right };
            let threshold = Ratio { numerator: p.min(q), denominator: p.max(q) };
            let rarest = Rarest::new(threshold);
            let (shared, union) = (left.intersection(&right).count() as u64, left.union(&right).count() as u64);
            let (left, right) = (keys(&rarest, &left, order), keys(&rarest, &right, order));
            prop_assert!(!threshold.at_least(shared, union) || !left.is_disjoint(&right));
        }
    }

    #[test]
    fn who_shares_too_little_behind_rarer_features_shares_no_key() {
        let rarest = Rarest::new("0.8".parse().unwrap());
        let set = |own: u64, first: u64| {
            let ordered: Vec<u64> = (first..first + own).chain(0..100 - own).collect();
            let mut keys = Vec::new();
            rarest.keys(&ordered, &mut keys);
            keys.into_iter().collect::<BTreeSet<u32>>()
        };
        // 84 of 100 shared are a resemblance of 0.72; prefixes of a fifth would share some.
        assert!(set(16, 1000).is_disjoint(&set(16, 2000)));
        assert!(!set(11, 1000).is_disjoint(&set(11, 2000)));
    }

    #[test]
    fn partitions_are_few() {
        for (tau, most) in [("1", 20_000), ("0.999999999", 20_000), ("0.8", 400), ("0.44", 200), ("0.01", 100)] {
            let ends = Rarest::new(tau.parse().unwrap()).ends;
            assert!(ends.is_sorted() && ends.last() == Some(&u32::MAX) && ends.len() < most, "{tau}: {}", ends.len());
        }
    }
}
