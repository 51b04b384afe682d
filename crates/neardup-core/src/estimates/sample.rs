//! Samples of features that are 0 mod a number: the values that two samples share (Broder, Glassman, Manasse, Zweig 1997).

use super::shared;
use crate::sets::parts::SketchPart;
use crate::signatures::kept_at;

/// Numbers of values that two samples share, and of those that each has, at the coarser of their levels.
struct CommonValues {
    shared: u64,
    left: u64,
    right: u64,
}

impl CommonValues {
    fn new(left: SketchPart<'_>, right: SketchPart<'_>) -> Self {
        let level = left.level.max(right.level);
        let kept = kept_at(level);
        let count = |part: SketchPart<'_>| match part.level == level {
            true => part.values.len() as u64,
            false => part.values.iter().filter(|&&value| kept(value)).count() as u64,
        };
        // A shared value is 0 mod the coarser level, because the coarser sample contains it.
        CommonValues { shared: shared::count(left.values, right.values), left: count(left), right: count(right) }
    }
}

/// Returns |V(A) n V(B)| and |V(A) u V(B)|; 0 and 1 for two empty samples.
pub fn resemblance(left: SketchPart<'_>, right: SketchPart<'_>) -> (u64, u64) {
    let CommonValues { shared, left, right } = CommonValues::new(left, right);
    (shared, (left + right - shared).max(1))
}

/// Returns |V(A) n V(B)| and min(|V(A)|, |V(B)|); 0 and 1 if one sample is empty.
pub fn containment(left: SketchPart<'_>, right: SketchPart<'_>) -> (u64, u64) {
    let CommonValues { shared, left, right } = CommonValues::new(left, right);
    (shared, left.min(right).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn part(level: u32, values: &[u64]) -> SketchPart<'_> {
        SketchPart { level, values }
    }

    proptest! {
        #[test]
        fn equals_the_definition(
            left in proptest::collection::btree_set(0u64..200, 0..90), right in proptest::collection::btree_set(0u64..200, 0..90),
            levels in (0u32..5, 0u32..5),
        ) {
            let at = |set: &BTreeSet<u64>, level: u32| set.iter().copied().filter(|value| value % (1 << level) == 0).collect::<BTreeSet<_>>();
            let coarser = levels.0.max(levels.1);
            let (l, r) = (at(&left, coarser), at(&right, coarser));
            let list = |set: BTreeSet<u64>| set.into_iter().collect::<Vec<_>>();
            let (sampled, other) = (list(at(&left, levels.0)), list(at(&right, levels.1)));
            let (one, two) = (part(levels.0, &sampled), part(levels.1, &other));
            let shared = l.intersection(&r).count() as u64;
            prop_assert_eq!(resemblance(one, two), (shared, l.union(&r).count().max(1) as u64));
            prop_assert_eq!(containment(one, two), (shared, l.len().min(r.len()).max(1) as u64));
        }
    }

    #[test]
    fn empty_samples_are_never_alike() {
        let (none, some) = (part(0, &[]), part(2, &[4, 8]));
        for (left, right) in [(none, none), (none, some), (some, none), (part(0, &[3]), some)] {
            assert_eq!(containment(left, right), (0, 1));
            assert_eq!(resemblance(left, right).0, 0);
        }
        assert_eq!(resemblance(none, none), (0, 1));
    }
}
