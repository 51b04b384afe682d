//! Tables: keys in ascending order beside the documents that hold them, in a segment.
//!
//! Keys are hashes, so their highest bits spread evenly: a directory by these leads to a handful of keys at once, and a
//! lookup costs about three reads of memory however large the table is.

use crate::column::Column;
use crate::sections::{Sections, Writer};
use crate::{Error, Result};
use bytemuck::Pod;
use rayon::slice::ParallelSliceMut;
use std::ops::Range;

/// About how many keys share an entry of the directory.
const PER_ENTRY: usize = 4;

/// A hash that documents are found by.
pub trait Key: Pod + Ord + Send + Sync {
    /// Its width.
    const BITS: u32;
    /// Its highest `bits`.
    fn highest(self, bits: u32) -> usize;
}

impl Key for u32 {
    const BITS: u32 = 32;
    fn highest(self, bits: u32) -> usize {
        (u64::from(self) >> (32 - bits)) as usize
    }
}

impl Key for u64 {
    const BITS: u32 = 64;
    fn highest(self, bits: u32) -> usize {
        (u128::from(self) >> (64 - bits)) as usize
    }
}

/// A table in a segment.
pub struct Table<K: Pod> {
    bits: u32,
    /// Where the keys of every entry begin, and at its end how many keys there are.
    directory: Column<u32>,
    keys: Column<K>,
    documents: Column<u32>,
}

impl<K: Key> Table<K> {
    /// Opens the table of this name; every value beside a key must be one that `admits`.
    pub fn open(sections: &Sections, name: &str, admits: &impl Fn(u32) -> bool) -> Result<Self> {
        let directory: Column<u32> = sections.column(&format!("{name}.directory"))?;
        let (keys, documents) = (sections.column(&format!("{name}.keys"))?, sections.column(&format!("{name}.documents"))?);
        let table = Table { bits: directory.len().saturating_sub(1).checked_ilog2().unwrap_or(0), directory, keys, documents };
        let whole = table.directory.len() == (1 << table.bits) + 1
            && table.keys.len() == table.documents.len()
            && table.directory.last().is_some_and(|&last| last as usize == table.keys.len())
            && table.is_in_order()
            && table.documents.iter().all(|&value| admits(value));
        whole.then_some(table).ok_or_else(|| Error::damaged(sections.path(), format!("the columns of table {name} do not fit together")))
    }

    /// Whether keys and the values beside a key ascend, and every entry of the directory leads to its own.
    fn is_in_order(&self) -> bool {
        let of_entry = |(entry, ends): (usize, &[u32])| {
            let keys = self.keys.get(ends[0] as usize..ends[1] as usize);
            keys.is_some_and(|keys| keys.iter().all(|key| key.highest(self.bits) == entry))
        };
        self.directory[0] == 0 && self.directory.windows(2).enumerate().all(of_entry) && self.entries().is_sorted()
    }

    /// The values beside a key, in the order they were written in.
    #[inline]
    pub fn run(&self, key: K) -> &[u32] {
        self.run_in(self.near(key), key)
    }

    /// Where the keys stand among which this one is, if it is there: the first half of a lookup.
    #[inline]
    pub fn near(&self, key: K) -> Range<u32> {
        let entry = key.highest(self.bits);
        self.directory[entry]..self.directory[entry + 1]
    }

    /// The second half of a lookup.
    #[inline]
    pub fn run_in(&self, near: Range<u32>, key: K) -> &[u32] {
        let (start, end) = (near.start as usize, near.end as usize);
        let keys = &self.keys[start..end];
        let first = keys.partition_point(|&other| other < key);
        let count = match keys.get(first) {
            Some(&other) if other == key => keys[first..].partition_point(|&other| other == key),
            _ => 0,
        };
        &self.documents[start + first..start + first + count]
    }

    /// Reads the keys that the second half begins with, so that several lookups wait for memory at once.
    #[inline]
    pub fn foresee(&self, near: Range<u32>) -> Option<K> {
        self.keys.get(near.start.midpoint(near.end) as usize).copied()
    }

    /// All keys, ascending, and the values beside them.
    pub fn entries(&self) -> impl Iterator<Item = (K, u32)> {
        self.keys.iter().copied().zip(self.documents.iter().copied())
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.directory[..]) + size_of_val(&self.keys[..]) + size_of_val(&self.documents[..])
    }
}

/// Writes `entries`, keys with the values beside them, as the table of this name; values of one key ascend.
pub fn write<K: Key>(writer: &mut Writer, name: &str, mut entries: Vec<(K, u32)>) -> Result<()> {
    entries.par_sort_unstable();
    let bits = (entries.len() / PER_ENTRY).checked_ilog2().unwrap_or(0).min(K::BITS - 1);
    let mut directory = vec![0u32; (1 << bits) + 1];
    entries.iter().for_each(|entry| directory[entry.0.highest(bits) + 1] += 1);
    let mut sum = 0;
    for start in &mut directory {
        sum += *start;
        *start = sum;
    }
    writer.section(&format!("{name}.directory"), &directory)?;
    writer.section(&format!("{name}.keys"), &entries.iter().map(|entry| entry.0).collect::<Vec<K>>())?;
    writer.section(&format!("{name}.documents"), &entries.iter().map(|entry| entry.1).collect::<Vec<u32>>())
}
