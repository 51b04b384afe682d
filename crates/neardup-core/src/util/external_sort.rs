//! External sort: sorts more values than fit in memory. Sorted runs are written to the store and merged (Knuth, TAOCP 3,
//! 5.4).

use crate::Result;
use crate::util::store::{List, Store, StoredColumn};
use bytemuck::Pod;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Number of values written at once.
const BLOCK: usize = 1 << 16;
/// Minimum number of values read from a run at once.
const LEAST: usize = 1 << 8;

/// Takes values in any order and returns them in ascending order of `key`. No two keys may be equal.
pub struct Sorter<'a, T, F> {
    store: &'a Store,
    key: F,
    limit: usize,
    held: Vec<T>,
    runs: Vec<StoredColumn<T>>,
}

impl<'a, T: Pod + Send, K: Ord, F: Fn(&T) -> K + Sync> Sorter<'a, T, F> {
    /// Creates a sorter that keeps about `memory` bytes of values in memory.
    pub fn new(store: &'a Store, key: F, memory: usize) -> Self {
        Sorter { store, key, limit: (memory / size_of::<T>().max(1)).max(LEAST), held: Vec::new(), runs: Vec::new() }
    }

    /// Adds a value.
    pub fn push(&mut self, value: T) -> Result<()> {
        if self.held.len() == self.limit {
            self.spill()?;
        }
        self.held.push(value);
        Ok(())
    }

    /// Returns all values, sorted.
    pub fn finish(mut self) -> Result<List<T>> {
        let mut sorted = List::default();
        if self.runs.is_empty() {
            self.sort();
            for block in self.held.chunks(BLOCK) {
                sorted.append(self.store, block)?;
            }
            return Ok(sorted);
        }
        self.spill()?;
        self.held = Vec::new();
        let block = (self.limit / (self.runs.len() + 1)).clamp(LEAST, BLOCK);
        let mut out = Vec::with_capacity(block);
        let mut cursors: Vec<Cursor<T>> = self.runs.iter().map(|&run| Cursor::new(run, block)).collect();
        let mut heads = vec![T::zeroed(); cursors.len()];
        let mut heap: BinaryHeap<Reverse<(K, usize)>> = BinaryHeap::new();
        let mut advance = |index: usize, heads: &mut [T], heap: &mut BinaryHeap<_>| -> Result<()> {
            if let Some(value) = cursors[index].next(self.store)? {
                heads[index] = value;
                heap.push(Reverse(((self.key)(&value), index)));
            }
            Ok(())
        };
        for index in 0..heads.len() {
            advance(index, &mut heads, &mut heap)?;
        }
        while let Some(Reverse((_, index))) = heap.pop() {
            out.push(heads[index]);
            if out.len() == block {
                sorted.append(self.store, &out)?;
                out.clear();
            }
            advance(index, &mut heads, &mut heap)?;
        }
        sorted.append(self.store, &out)?;
        Ok(sorted)
    }

    fn sort(&mut self) {
        self.held.par_sort_unstable_by_key(&self.key);
    }

    fn spill(&mut self) -> Result<()> {
        self.sort();
        self.runs.push(self.store.append(&self.held)?);
        self.held.clear();
        Ok(())
    }
}

/// Read position in a run during the merge.
struct Cursor<T> {
    run: StoredColumn<T>,
    /// Number of values read at once.
    block: usize,
    read: usize,
    values: std::vec::IntoIter<T>,
}

impl<T: Pod> Cursor<T> {
    fn new(run: StoredColumn<T>, block: usize) -> Self {
        Cursor { run, block, read: 0, values: Vec::new().into_iter() }
    }

    fn next(&mut self, store: &Store) -> Result<Option<T>> {
        if self.values.len() == 0 && self.read < self.run.len() {
            let end = (self.read + self.block).min(self.run.len());
            self.values = store.read(self.run, self.read..end)?.into_iter();
            self.read = end;
        }
        Ok(self.values.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_a_sort(mut values in proptest::collection::hash_set(any::<u64>(), 0..3000), memory in 0usize..20_000) {
            let store = Store::new(tempfile::tempfile().unwrap(), 0);
            let mut sorter = Sorter::new(&store, |value: &u64| !value, memory);
            values.iter().for_each(|&value| sorter.push(value).unwrap());
            let mut expected: Vec<u64> = values.drain().collect();
            expected.sort_unstable_by_key(|value| Reverse(*value));
            prop_assert_eq!(sorter.finish().unwrap().all(&store).unwrap(), expected);
        }
    }
}
