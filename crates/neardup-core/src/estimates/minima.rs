//! Samples of the smallest features: of the smallest in the union, the share that both have (Broder, Glassman, Manasse,
//! Zweig 1997).

use crate::sets::parts::SketchPart;
use std::cmp::Ordering;

/// Returns |MIN_s(A u B) n A n B| and |MIN_s(A u B)| for samples A and B of at most s = `size` values; 0 and 1 for two
/// empty samples.
///
/// A sample of level 1 does not contain all features of its document. If values were removed from it, it may end before
/// s values of the union are seen. The features after its end are unknown, so fewer than s values count.
pub fn resemblance(left: SketchPart<'_>, right: SketchPart<'_>, size: u64) -> (u64, u64) {
    let (mut l, mut r) = (left.values, right.values);
    let (mut shared, mut seen) = (0, 0);
    while seen < size {
        let order = match (l, r) {
            ([], _) if left.level > 0 => break,
            (_, []) if right.level > 0 => break,
            ([], []) => break,
            ([one, ..], [other, ..]) => one.cmp(other),
            ([], _) => Ordering::Greater,
            (_, []) => Ordering::Less,
        };
        seen += 1;
        shared += u64::from(order == Ordering::Equal);
        l = &l[usize::from(order != Ordering::Greater)..];
        r = &r[usize::from(order != Ordering::Less)..];
    }
    (shared, seen.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn sets() -> impl Strategy<Value = (BTreeSet<u64>, BTreeSet<u64>)> {
        (proptest::collection::btree_set(0u64..120, 0..70), proptest::collection::btree_set(0u64..120, 0..70))
    }

    fn smallest(set: &BTreeSet<u64>, size: usize) -> (u32, Vec<u64>) {
        (u32::from(set.len() > size), set.iter().copied().take(size).collect())
    }

    proptest! {
        #[test]
        fn equals_the_definition((left, right) in sets(), size in 1usize..90) {
            let (l, r) = (smallest(&left, size), smallest(&right, size));
            let estimate = resemblance(SketchPart { level: l.0, values: &l.1 }, SketchPart { level: r.0, values: &r.1 }, size as u64);
            let union: Vec<u64> = left.union(&right).copied().take(size).collect();
            let shared = union.iter().filter(|value| left.contains(value) && right.contains(value)).count();
            prop_assert_eq!(estimate, (shared as u64, union.len().max(1) as u64));
        }

        #[test]
        fn values_taken_away_count_as_if_they_never_were(
            (left, right) in sets(), size in 1usize..90, ignored in proptest::collection::btree_set(0u64..120, 0..60),
        ) {
            let sampled = |set: &BTreeSet<u64>| {
                let (level, mut values) = smallest(set, size);
                values.retain(|value| !ignored.contains(value));
                (level, values)
            };
            let (l, r) = (sampled(&left), sampled(&right));
            let estimate = resemblance(SketchPart { level: l.0, values: &l.1 }, SketchPart { level: r.0, values: &r.1 }, size as u64);
            // Nothing is known after the end of a sample that leaves features out.
            let known = |(level, values): &(u32, Vec<u64>), value| *level == 0 || values.last().is_some_and(|&last| value <= last);
            let rest = left.union(&right).copied().filter(|value| !ignored.contains(value) && known(&l, *value) && known(&r, *value));
            let union: Vec<u64> = rest.take(size).collect();
            let shared = union.iter().filter(|value| left.contains(value) && right.contains(value)).count();
            prop_assert_eq!(estimate, (shared as u64, union.len().max(1) as u64));
        }
    }
}
