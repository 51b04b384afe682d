//! Posting tables of a segment: keys in ascending order, each with a document that contains it.
//!
//! Keys are hashes, so their highest bits are evenly distributed. A directory by these bits narrows a lookup to a handful of
//! entries, so it reads memory in only two or three places, however large the table is.

use crate::storage::sections::column::MappedColumn;
use crate::storage::sections::{Sections, Writer};
use crate::{Error, Result};
use neardup_core::util::threads::on_all;
use rayon::slice::ParallelSliceMut;
use std::ops::Range;

/// A directory with several entries has at least this number of keys per entry, on average.
const PER_ENTRY: usize = 4;

/// A key in the high half and a value in the low half. So entries sort by key, then by value.
type PostingEntry = u64;

/// A table in a segment.
pub struct PostingTable {
    bits: u32,
    /// Start of the keys of each directory entry, and finally the number of keys.
    directory: MappedColumn<u32>,
    entries: MappedColumn<PostingEntry>,
}

impl PostingTable {
    /// Opens the table `name`. `admits` must accept all values.
    pub fn open(sections: &Sections, name: &str, admits: &impl Fn(u32) -> bool) -> Result<Self> {
        let directory: MappedColumn<u32> = sections.column(&format!("{name}.directory"))?;
        let entries = sections.column(&format!("{name}.entries"))?;
        let table = PostingTable { bits: directory.len().saturating_sub(1).checked_ilog2().unwrap_or(0), directory, entries };
        let whole = table.directory.len() == (1 << table.bits) + 1
            && table.directory.last().is_some_and(|&last| last as usize == table.entries.len())
            && table.is_in_order()
            && table.entries().all(|(_, value)| admits(value));
        whole.then_some(table).ok_or_else(|| Error::damaged(sections.path(), format!("the columns of table {name} do not fit together")))
    }

    /// Whether keys, and the values of each key, ascend, and every directory entry covers exactly its own keys.
    fn is_in_order(&self) -> bool {
        let of_directory = |(at, ends): (usize, &[u32])| {
            let entries = self.entries.get(ends[0] as usize..ends[1] as usize);
            entries.is_some_and(|entries| entries.iter().all(|entry| highest((entry >> 32) as u32, self.bits) == at))
        };
        self.directory[0] == 0 && self.directory.windows(2).enumerate().all(of_directory) && self.entries().is_sorted()
    }

    /// Returns the values of a key, ascending.
    #[inline]
    pub fn run(&self, key: u32) -> impl Iterator<Item = u32> + use<'_> {
        self.values(self.find(self.near(key), key))
    }

    /// First step of a lookup: returns the range of entries that may contain the key.
    #[inline]
    pub fn near(&self, key: u32) -> Range<u32> {
        let at = highest(key, self.bits);
        self.directory[at]..self.directory[at + 1]
    }

    /// Reads the entry at which the next step begins, so that several lookups wait for memory at once.
    #[inline]
    pub fn prefetch(&self, near: &Range<u32>) -> Option<u64> {
        self.entries.get(near.start.midpoint(near.end) as usize).copied()
    }

    /// Second step: returns the range of entries of the key.
    #[inline]
    pub fn find(&self, near: Range<u32>, key: u32) -> Range<u32> {
        let entries = &self.entries[near.start as usize..near.end as usize];
        let before = |key: u64| entries.partition_point(|&entry| entry >> 32 < key) as u32;
        near.start + before(key.into())..near.start + before(u64::from(key) + 1)
    }

    /// Third step: returns the values of a range of entries.
    #[inline]
    pub fn values(&self, found: Range<u32>) -> impl Iterator<Item = u32> + use<'_> {
        self.entries[found.start as usize..found.end as usize].iter().map(|&entry| entry as u32)
    }

    /// Returns all keys, ascending, with their values.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        self.entries.iter().map(|&entry| ((entry >> 32) as u32, entry as u32))
    }

    /// Size of the table, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.directory[..]) + size_of_val(&self.entries[..])
    }
}

/// Returns the highest `bits` bits of a key.
#[inline]
fn highest(key: u32, bits: u32) -> usize {
    (u64::from(key) >> (32 - bits)) as usize
}

/// Writes keys and their values as the table `name`.
pub fn write(writer: &mut Writer, name: &str, entries: impl Iterator<Item = (u32, u32)>) -> Result<()> {
    let mut entries: Vec<PostingEntry> = entries.map(|(key, value)| u64::from(key) << 32 | u64::from(value)).collect();
    on_all(|| entries.par_sort_unstable());
    let bits = (entries.len() / PER_ENTRY).checked_ilog2().unwrap_or(0).min(31);
    let mut directory = vec![0u32; (1 << bits) + 1];
    entries.iter().for_each(|entry| directory[highest((entry >> 32) as u32, bits) + 1] += 1);
    let mut sum = 0;
    for start in &mut directory {
        sum += *start;
        *start = sum;
    }
    writer.section(&format!("{name}.directory"), &directory)?;
    writer.section(&format!("{name}.entries"), &entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_run_is_what_was_written_beside_its_key(keys in proptest::collection::vec((0u32..30, 0u32..4), 0..300)) {
            // Few keys with many values each, and neighbouring keys that differ in their lowest bits or in their highest ones.
            let key = |(high, low): (u32, u32)| high.reverse_bits() ^ low;
            let entries: Vec<(u32, u32)> = (0..).zip(&keys).map(|(value, &parts)| (key(parts), value * 7 % 1009)).collect();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("segment-000001");
            let mut writer = Writer::create(&path, "segment", &()).unwrap();
            write(&mut writer, "keys", entries.iter().copied()).unwrap();
            writer.finish().unwrap();
            let table = PostingTable::open(&Sections::open(&path, "segment").unwrap(), "keys", &|_| true).unwrap();
            for wanted in (0..30).flat_map(|high| (0..5).map(move |low| key((high, low)))).chain([0, 1, u32::MAX]) {
                let mut run: Vec<u32> = entries.iter().filter(|entry| entry.0 == wanted).map(|entry| entry.1).collect();
                run.sort_unstable();
                prop_assert!(table.run(wanted).eq(run));
            }
            let mut all = entries;
            all.sort_unstable();
            prop_assert!(table.entries().eq(all));
        }
    }
}
