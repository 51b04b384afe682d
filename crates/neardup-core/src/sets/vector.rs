//! Weighted vectors: features with weights, the one form that cosine, bag, SIM and Euclidean distance compare.

use std::cmp::Ordering;

/// The greatest weight. Greater weights are reduced to it, so that no dot product of vectors that fit in memory exceeds
/// 128 bits.
pub const MOST: u64 = 1 << 32;

/// A vector of integer weights above 0, one for each of its distinct features. All other features weigh 0.
///
/// It is collected from pairs of feature and weight in any order. The weights of a repeated feature are added, and no
/// weight exceeds 2^32.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vector {
    entries: Vec<(u64, u64)>,
    total: u64,
    squared_norm: u128,
}

impl Vector {
    /// Returns the vector of term frequencies: the weight of a feature is the number of its occurrences.
    pub fn counts(features: &[u64]) -> Vector {
        features.iter().map(|&feature| (feature, 1)).collect()
    }

    /// Returns the vector with new weights, which `weight` computes from each feature and its weight, such as tf times idf.
    pub fn weighed(&self, weight: impl Fn(u64, u64) -> u64) -> Vector {
        self.entries.iter().map(|&(feature, own)| (feature, weight(feature, own))).collect()
    }

    /// Returns the features, ascending, with their weights.
    pub fn entries(&self) -> &[(u64, u64)] {
        &self.entries
    }

    /// Whether every feature weighs 0.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the sum of all weights.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns |A|^2, the sum of the squared weights.
    pub fn squared_norm(&self) -> u128 {
        self.squared_norm
    }

    /// Returns A . B, the sum of the products of the weights, in one pass over both vectors.
    pub fn dot(&self, other: &Vector) -> u128 {
        self.shared(other).map(product).sum()
    }

    /// Returns |A - B|^2 = |A|^2 + |B|^2 - 2 A . B.
    pub fn squared_distance(&self, other: &Vector) -> u128 {
        self.squared_norm + other.squared_norm - 2 * self.dot(other)
    }

    /// Returns both weights of every feature that both vectors contain, by ascending feature.
    pub fn shared<'a>(&'a self, other: &'a Vector) -> impl Iterator<Item = (u64, u64)> + 'a {
        let (mut left, mut right) = (&self.entries[..], &other.entries[..]);
        std::iter::from_fn(move || {
            while let ([(one, weight), left_rest @ ..], [(two, other), right_rest @ ..]) = (left, right) {
                let order = one.cmp(two);
                if order != Ordering::Greater {
                    left = left_rest;
                }
                if order != Ordering::Less {
                    right = right_rest;
                }
                if order == Ordering::Equal {
                    return Some((*weight, *other));
                }
            }
            None
        })
    }
}

fn product((left, right): (u64, u64)) -> u128 {
    u128::from(left) * u128::from(right)
}

impl FromIterator<(u64, u64)> for Vector {
    fn from_iter<T: IntoIterator<Item = (u64, u64)>>(pairs: T) -> Vector {
        let mut entries: Vec<(u64, u64)> = pairs.into_iter().collect();
        entries.sort_unstable();
        entries.dedup_by(|next, first| {
            let repeated = next.0 == first.0;
            first.1 = if repeated { first.1.saturating_add(next.1) } else { first.1 };
            repeated
        });
        entries.retain(|&(_, weight)| weight > 0);
        for (_, weight) in &mut entries {
            *weight = MOST.min(*weight);
        }
        let total = entries.iter().map(|&(_, weight)| weight).sum();
        let squared_norm = entries.iter().map(|&(_, weight)| product((weight, weight))).sum();
        Vector { entries, total, squared_norm }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Pairs = Vec<(u64, u64)>;

    fn pairs() -> impl Strategy<Value = Pairs> {
        let weight = prop_oneof![0u64..5, any::<u64>(), Just(MOST), Just(MOST - 1)];
        proptest::collection::vec((0u64..40, weight), 0..60)
    }

    fn slow(pairs: &Pairs) -> BTreeMap<u64, u128> {
        let mut sums = BTreeMap::new();
        for &(feature, weight) in pairs {
            *sums.entry(feature).or_insert(0) += u128::from(weight);
        }
        sums.into_iter().map(|(feature, sum)| (feature, sum.min(MOST.into()))).collect()
    }

    proptest! {
        #[test]
        fn sums_are_those_of_maps(left in pairs(), right in pairs()) {
            let (one, two) = (slow(&left), slow(&right));
            let at = |map: &BTreeMap<u64, u128>, feature| map.get(&feature).copied().unwrap_or(0);
            let (left, right) = (Vector::from_iter(left), Vector::from_iter(right));
            let entries: Pairs = one.iter().filter(|(_, weight)| **weight > 0).map(|(&feature, &weight)| (feature, weight as u64)).collect();
            prop_assert_eq!(left.entries(), entries);
            prop_assert_eq!(u128::from(left.total()), one.values().sum::<u128>());
            prop_assert_eq!(left.squared_norm(), (0..40).map(|feature| at(&one, feature).pow(2)).sum::<u128>());
            prop_assert_eq!(left.dot(&right), (0..40).map(|feature| at(&one, feature) * at(&two, feature)).sum::<u128>());
            prop_assert_eq!(left.squared_distance(&right), (0..40).map(|feature| at(&one, feature).abs_diff(at(&two, feature)).pow(2)).sum::<u128>());
        }

        #[test]
        fn order_is_ignored_and_frequency_respected(features in proptest::collection::vec(0u64..20, 0..60), weight in 0u64..9) {
            let counts = Vector::counts(&features);
            let reversed: Vec<u64> = features.iter().rev().copied().collect();
            prop_assert_eq!(&counts, &Vector::counts(&reversed));
            for &(feature, weight) in counts.entries() {
                prop_assert_eq!(weight, features.iter().filter(|&&one| one == feature).count() as u64);
            }
            let weighed = counts.weighed(|feature, count| weight * count + feature % 2);
            prop_assert_eq!(weighed, counts.entries().iter().map(|&(f, count)| (f, weight * count + f % 2)).collect::<Vector>());
        }
    }

    #[test]
    fn the_largest_sums_fit() {
        let features = 1u64 << 20;
        let vector: Vector = (0..features).map(|feature| (feature, u64::MAX)).collect();
        assert_eq!((vector.total(), vector.squared_norm()), (1 << 52, 1 << 84));
        assert_eq!((vector.dot(&vector), vector.squared_distance(&vector)), (1 << 84, 0));
    }
}
