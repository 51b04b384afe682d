//! Grouping: entries of equal key, brought together.

/// Calls `each` with every run of two or more entries whose keys are equal, entries ascending within the run.
///
/// `key` must be a prefix of the entries' order: entries with a smaller key are smaller. Most keys of a corpus occur
/// once, so those are dropped first, by counting in a table of small cells, and only the rest is sorted.
pub fn group<E: Ord + Copy>(mut entries: Vec<E>, key: impl Fn(E) -> u64, mut each: impl FnMut(&[E])) {
    drop_single(&mut entries, &key);
    entries.sort_unstable();
    for run in entries.chunk_by(|&left, &right| key(left) == key(right)).filter(|run| run.len() > 1) {
        each(run);
    }
}

fn drop_single<E: Copy>(entries: &mut Vec<E>, key: impl Fn(E) -> u64) {
    const CELLS_PER_ENTRY: usize = 4;
    let bits = (entries.len() * CELLS_PER_ENTRY).next_power_of_two().trailing_zeros().max(1);
    let cell = |entry: E| (key(entry).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
    let mut counts = vec![0u8; 1 << bits];
    for &entry in entries.iter() {
        let count = &mut counts[cell(entry)];
        *count = (*count << 1 | 1) & 3;
    }
    entries.retain(|&entry| counts[cell(entry)] > 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn equals_a_map(entries in proptest::collection::vec((0u32..50, 0u32..1000), 0..200)) {
            let mut expected: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
            for &entry in &entries {
                expected.entry(entry.0).or_default().push(entry);
            }
            expected.values_mut().for_each(|run| run.sort_unstable());
            let mut found = BTreeMap::new();
            group(entries, |entry| u64::from(entry.0), |run| { found.insert(run[0].0, run.to_vec()); });
            expected.retain(|_, run| run.len() > 1);
            prop_assert_eq!(found, expected);
        }
    }
}
