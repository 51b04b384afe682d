//! Radix partition: distributes entries to numbered parts.

use std::ops::Range;

/// Buffers that partition one list after another.
pub struct RadixPartition<E> {
    /// The entries, part by part. Within a part they keep the order of the input.
    pub entries: Vec<E>,
    /// End of each part, which is the start of the next one.
    pub ends: Vec<usize>,
}

impl<E> Default for RadixPartition<E> {
    fn default() -> Self {
        RadixPartition { entries: Vec::new(), ends: Vec::new() }
    }
}

impl<E: Copy> RadixPartition<E> {
    /// Distributes `entries` to `parts` parts. `part` returns the number of an entry's part, from 0.
    pub fn out(&mut self, entries: &[E], parts: usize, part: impl Fn(E) -> usize) {
        self.ends.clear();
        self.ends.resize(parts, 0);
        entries.iter().for_each(|&entry| self.ends[part(entry)] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        // Only sets the length: every entry is overwritten below.
        self.entries.clear();
        self.entries.extend_from_slice(entries);
        // Each value of `ends` moves from the start of its part to its end.
        for &entry in entries {
            let end = &mut self.ends[part(entry)];
            self.entries[*end] = entry;
            *end += 1;
        }
    }

    /// Returns the range of a part in `entries`.
    pub fn place(&self, part: usize) -> Range<usize> {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[part]
    }
}
