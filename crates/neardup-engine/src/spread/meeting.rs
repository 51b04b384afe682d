//! Who may meet: documents by their keys, which come in order, piece by piece.

use neardup_core::components::Forest;
use neardup_core::keys::Over;
use neardup_core::pass::Pass;

/// How many documents of a common key are told.
const SAMPLE: usize = 5;

/// What becomes of the keys of each table.
pub struct Meeting {
    /// For each table the most documents of a key, and whether keys of more are dropped.
    caps: Vec<(Option<u32>, bool)>,
}

/// What rows of keys tell. Documents are places in these rows.
#[derive(Default)]
pub struct Met {
    /// Pairs of documents that may meet: together they connect all that do.
    pub left: Vec<u32>,
    /// The other side of each.
    pub right: Vec<u32>,
    /// Some documents of a key above its cap.
    pub sample: Vec<u32>,
    /// The key of each of these.
    pub keys: Vec<i64>,
    /// How many documents have this key.
    pub sizes: Vec<i64>,
    /// What stands for the last key, which may go on, with those that follow.
    pub open: Vec<u32>,
    /// For how many documents each of these stands.
    pub weights: Vec<i64>,
}

impl Meeting {
    /// Of the keys of a pass.
    pub fn new(pass: &Pass) -> Self {
        let of_kind = |kind: &neardup_core::keys::Kind| std::iter::repeat_n((kind.cap, kind.over == Over::Drop), kind.keys.tables());
        Meeting { caps: pass.kinds.iter().flat_map(of_kind).collect() }
    }

    /// Takes rows of ascending `keys`, each of as many documents as it weighs; whether they are the `last` ones.
    pub fn meet(&self, keys: &[i64], weights: &[i64], last: bool) -> Met {
        let (mut met, mut start) = (Met::default(), 0);
        for bucket in keys.chunk_by(|one, other| one == other) {
            let end = start + bucket.len();
            self.bucket(bucket[0], start as u32, &weights[start..end], last || end < keys.len(), &mut met);
            start = end;
        }
        met
    }

    fn bucket(&self, key: i64, start: u32, weights: &[i64], is_whole: bool, met: &mut Met) {
        let size: i64 = weights.iter().sum();
        let (cap, drops) = self.caps.get((key >> 32) as usize).copied().unwrap_or_default();
        let is_common = cap.is_some_and(|cap| size > i64::from(cap));
        let rows = weights.len() as u32;
        if !drops || !is_common && is_whole {
            met.left.extend(std::iter::repeat_n(start, rows as usize - 1));
            met.right.extend(start + 1..start + rows);
        }
        let first_rows = rows.min(SAMPLE as u32);
        if is_whole && is_common {
            met.sample.extend(start..start + first_rows);
            met.keys.extend(std::iter::repeat_n(key, first_rows as usize));
            met.sizes.extend(std::iter::repeat_n(size, first_rows as usize));
        }
        if !is_whole {
            // Those that are linked already, or will never be, need not wait.
            let kept = if drops && !is_common { rows } else { first_rows };
            met.open.extend(start..start + kept);
            let rest: i64 = weights[kept as usize..].iter().sum();
            met.weights.extend_from_slice(&weights[..kept as usize]);
            met.weights[0] += rest;
        }
    }
}

/// The root of every one of `count` members that `left` and `right` connect, pair by pair.
pub fn families(left: &[u32], right: &[u32], count: usize) -> Vec<u32> {
    let mut forest = Forest::new(count);
    left.iter().zip(right).for_each(|(&left, &right)| forest.union(left, right));
    (0..count as u32).map(|member| forest.find(member)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_core::compile::compile;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// What all rows tell, taken so many at a time: components of rows, and common keys with their sizes.
    fn all(line: &str, keys: &[i64], weights: &[i64], step: usize) -> (Vec<u32>, BTreeMap<i64, i64>) {
        let meeting = Meeting::new(&compile(&line.parse().unwrap()).unwrap());
        let (mut left, mut right, mut common) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut open: Vec<(usize, i64)> = Vec::new();
        for start in (0..keys.len()).step_by(step) {
            let end = (start + step).min(keys.len());
            let rows: Vec<(usize, i64)> = open.drain(..).chain((start..end).map(|row| (row, weights[row]))).collect();
            let place = |place: &u32| rows[*place as usize].0 as u32;
            let (these, weights): (Vec<i64>, Vec<i64>) = rows.iter().map(|&(row, weight)| (keys[row], weight)).unzip();
            let met = meeting.meet(&these, &weights, end == keys.len());
            left.extend(met.left.iter().map(place));
            right.extend(met.right.iter().map(place));
            common.extend(met.keys.iter().copied().zip(met.sizes.iter().copied()));
            open = met.open.iter().zip(met.weights).map(|(place, weight)| (rows[*place as usize].0, weight)).collect();
        }
        (families(&left, &right, keys.len()), common)
    }

    proptest! {
        #[test]
        fn pieces_change_nothing(
            mut keys in proptest::collection::vec(0i64..12, 1..200), step in 1usize..40, heavy in proptest::collection::vec(1i64..4, 200),
        ) {
            keys.sort_unstable();
            for over in ["drop", "star"] {
                let line = format!("words | shingles:3 | whole | each cap=9 over={over} | resemblance>=0.5");
                let (roots, common) = all(&line, &keys, &heavy, step);
                let mut sizes: BTreeMap<i64, i64> = BTreeMap::new();
                keys.iter().zip(&heavy).for_each(|(&key, &weight)| *sizes.entry(key).or_insert(0) += weight);
                let above: BTreeMap<i64, i64> = sizes.iter().filter(|(_, size)| **size > 9).map(|(&key, &size)| (key, size)).collect();
                prop_assert_eq!(&common, &above);
                let first = |row: usize| keys.partition_point(|&key| key < keys[row]);
                let expected: Vec<u32> = (0..keys.len())
                    .map(|row| if over == "drop" && above.contains_key(&keys[row]) { row } else { first(row) } as u32)
                    .collect();
                prop_assert_eq!(roots, expected);
            }
            let roots = families(&[], &[], 3);
            prop_assert_eq!(roots.into_iter().collect::<BTreeSet<_>>().len(), 3);
        }
    }
}
