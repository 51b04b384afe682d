//! Test data for the measures: pairs of sequences and of vectors, some unrelated and some similar.

use crate::sets::vector::Vector;
use crate::util::ratio::Ratio;
use proptest::collection::vec;
use proptest::prelude::*;

/// Tokens of few or many kinds, spread like hashes.
pub fn sequence(most: usize) -> impl Strategy<Value = Vec<u64>> {
    prop_oneof![1u64..5, Just(30), Just(600)]
        .prop_flat_map(move |kinds| vec((0..kinds).prop_map(|kind| u64::MAX - kind.wrapping_mul(0x9E37_79B9_7F4A_7C15)), 0..=most))
}

/// Two sequences, the second often an edited copy of the first.
pub fn sequences(most: usize) -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    let edits = vec((any::<prop::sample::Index>(), 0..3, 0u64..8), 0..=most / 3);
    prop_oneof![
        (sequence(most), sequence(most)),
        (sequence(most), edits).prop_map(|(left, edits)| {
            let mut right = left.clone();
            for (at, kind, token) in edits {
                let at = at.index(right.len() + 1);
                match kind {
                    0 if at < right.len() => right[at] = token,
                    1 if at < right.len() => drop(right.remove(at)),
                    _ => right.insert(at, token),
                }
            }
            (left, right)
        }),
    ]
}

/// A vector of up to twelve features with weights of every size.
pub fn vector() -> impl Strategy<Value = Vector> {
    let weight = prop_oneof![4 => 0u64..5, 1 => any::<u64>().prop_map(|bits| bits >> (bits % 64))];
    vec((0u64..12, weight), 0..12).prop_map(Vector::from_iter)
}

/// A number from 0 to 1, with small and large terms.
pub fn ratio() -> impl Strategy<Value = Ratio> {
    prop_oneof![(0u64..=10, Just(10u64)), (any::<u64>(), 1u64..).prop_map(|(p, q)| (p % q, q)), Just((1, 1))]
        .prop_map(|(numerator, denominator)| Ratio { numerator, denominator })
}
