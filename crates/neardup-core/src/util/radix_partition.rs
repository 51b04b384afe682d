//! Dealing: entries dealt out to numbered parts.

use std::ops::Range;

/// Room that serves one list after another.
pub struct RadixPartition<E> {
    /// The entries, part by part, those of a part in the order in which they came.
    pub entries: Vec<E>,
    /// Where each part ends, and the next one begins.
    pub ends: Vec<usize>,
}

impl<E> Default for RadixPartition<E> {
    fn default() -> Self {
        RadixPartition { entries: Vec::new(), ends: Vec::new() }
    }
}

impl<E: Copy> RadixPartition<E> {
    /// Deals `entries` out to `parts` parts; `part` numbers them from 0.
    pub fn out(&mut self, entries: &[E], parts: usize, part: impl Fn(E) -> usize) {
        self.ends.clear();
        self.ends.resize(parts, 0);
        entries.iter().for_each(|&entry| self.ends[part(entry)] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        // Whatever was here before, every place is written.
        self.entries.clear();
        self.entries.extend_from_slice(entries);
        // From where each part begins to where it ends.
        for &entry in entries {
            let end = &mut self.ends[part(entry)];
            self.entries[*end] = entry;
            *end += 1;
        }
    }

    /// Where a part lies.
    pub fn place(&self, part: usize) -> Range<usize> {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[part]
    }
}
