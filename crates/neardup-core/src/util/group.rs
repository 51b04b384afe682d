//! Grouping: brings entries of equal key together.

use crate::util::radix_partition::RadixPartition;

/// Bytes of entries grouped at once. They fit in a core's own cache, together with the table that counts them.
const AT_ONCE: usize = 1 << 19;
/// Number of entries sorted at once. So few entries need hardly any branch.
const FEW: usize = 8;
/// Maximum number of parts of one partition. A processor follows only so many write positions.
const MOST_PARTS: usize = 1 << 12;
const CELLS_PER_ENTRY: usize = 4;

/// Buffers that group one list of entries after another.
pub struct Grouping<E> {
    /// Entries to group.
    pub entries: Vec<E>,
    partitioned: RadixPartition<E>,
    few: RadixPartition<E>,
    counts: Vec<u8>,
}

impl<E> Default for Grouping<E> {
    fn default() -> Self {
        Grouping { entries: Vec::new(), partitioned: RadixPartition::default(), few: RadixPartition::default(), counts: Vec::new() }
    }
}

impl<E: Ord + Copy> Grouping<E> {
    /// Calls `each` with every run of two or more entries of equal key. Runs ascend by key, and entries ascend within a
    /// run.
    ///
    /// `key` must be a prefix of the entries' order: entries with a smaller key are smaller. Entries are first partitioned
    /// by key into parts that fit in the cache. Most keys of a corpus occur once; a table of small counters finds and drops
    /// their entries. The rest is partitioned again, so that only a few entries are sorted at a time.
    pub fn runs(&mut self, key: impl Fn(E) -> u64, mut each: impl FnMut(&[E])) {
        let Grouping { entries, partitioned, few, counts } = self;
        partition(entries, &key, AT_ONCE / size_of::<E>().max(1), partitioned);
        for part in 0..partitioned.ends.len() {
            let place = partitioned.place(part);
            let part = &mut partitioned.entries[place];
            let count = drop_single(part, &key, counts);
            partition(&part[..count], &key, FEW, few);
            for some in 0..few.ends.len() {
                let place = few.place(some);
                let some = &mut few.entries[place];
                some.sort_unstable();
                for run in some.chunk_by(|&left, &right| key(left) == key(right)).filter(|run| run.len() > 1) {
                    each(run);
                }
            }
        }
    }
}

/// Groups a single list; see [`Grouping::runs`].
pub fn group<E: Ord + Copy>(entries: Vec<E>, key: impl Fn(E) -> u64, each: impl FnMut(&[E])) {
    Grouping { entries, ..Grouping::default() }.runs(key, each);
}

/// Partitions entries into parts of about `at_once` entries. Each part has its own range of keys, and the parts ascend.
fn partition<E: Copy>(entries: &[E], key: impl Fn(E) -> u64, at_once: usize, partitioned: &mut RadixPartition<E>) {
    let keys = || entries.iter().map(|&entry| key(entry));
    let (least, most) = (keys().min().unwrap_or(0), keys().max().unwrap_or(0));
    let wanted = entries.len().div_ceil(at_once).next_power_of_two().min(MOST_PARTS);
    let shift = (u64::BITS - (most - least).leading_zeros()).saturating_sub(wanted.trailing_zeros());
    partitioned.out(entries, wanted, |entry| (key(entry) - least).checked_shr(shift).unwrap_or(0) as usize);
}

/// Moves the entries whose key may occur more than once to the front, in order, and returns their number.
fn drop_single<E: Copy>(entries: &mut [E], key: impl Fn(E) -> u64, counts: &mut Vec<u8>) -> usize {
    let bits = (entries.len() * CELLS_PER_ENTRY).next_power_of_two().trailing_zeros().max(1);
    let cell = |entry: E| (key(entry).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
    counts.clear();
    counts.resize(1 << bits, 0);
    for &entry in entries.iter() {
        let count = &mut counts[cell(entry)];
        *count = (*count << 1 | 1) & 3;
    }
    let mut kept = 0;
    for at in 0..entries.len() {
        let entry = entries[at];
        // Without a branch, because the processor cannot predict which keys are single.
        entries[kept] = entry;
        kept += usize::from(counts[cell(entry)] > 1);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::ops::Range;

    proptest! {
        #[test]
        fn equals_a_map(entries in proptest::collection::vec((0u32..50, 0u32..1000), 0..200)) {
            let mut expected: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
            for &entry in &entries {
                expected.entry(entry.0).or_default().push(entry);
            }
            expected.values_mut().for_each(|run| run.sort_unstable());
            expected.retain(|_, run| run.len() > 1);
            let mut found = Vec::new();
            group(entries, |entry| u64::from(entry.0), |run| found.push((run[0].0, run.to_vec())));
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn parts_ascend_and_keep_the_order(keys in proptest::collection::vec((any::<u64>(), 0u32..64), 0..300), at_once in 1usize..50) {
            let entries: Vec<(u64, usize)> = keys.iter().enumerate().map(|(at, &(key, shift))| (key >> shift, at)).collect();
            let mut room = RadixPartition::default();
            partition(&entries, |entry| entry.0, at_once, &mut room);
            let parts: Vec<Range<usize>> = (0..room.ends.len()).map(|part| room.place(part)).collect();
            let partitioned = room.entries;
            prop_assert_eq!(parts.iter().map(Range::len).sum::<usize>(), entries.len());
            for (part, next) in parts.iter().zip(&parts[parts.len().min(1)..]) {
                let (most, least) = (partitioned[part.clone()].iter().map(|entry| entry.0).max(), partitioned[next.start..].iter().map(|entry| entry.0).min());
                prop_assert!(part.end == next.start && (most < least || least.is_none() || most.is_none()));
            }
            prop_assert!(parts.iter().all(|part| partitioned[part.clone()].is_sorted_by_key(|entry| entry.1)));
            let (mut expected, mut partitioned) = (entries, partitioned);
            expected.sort_unstable();
            partitioned.sort_unstable();
            prop_assert_eq!(partitioned, expected);
        }
    }

    #[test]
    fn many_entries_are_grouped_like_few() {
        let key = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 100_000;
        let entries: Vec<u64> = (0..AT_ONCE as u64).map(|number| key(number) << 32 | number).collect();
        let mut sorted = entries.clone();
        sorted.sort_unstable();
        let expected: Vec<Vec<u64>> =
            sorted.chunk_by(|left, right| left >> 32 == right >> 32).filter(|run| run.len() > 1).map(<[u64]>::to_vec).collect();
        let mut found = Vec::new();
        group(entries, |entry| entry >> 32, |run| found.push(run.to_vec()));
        assert_eq!(found, expected);
    }
}
