//! Tables: keys in ascending order beside the documents that hold them, in a segment.
//!
//! Keys are hashes, so their highest bits spread evenly: a directory by these leads to a handful of keys at once, and a
//! lookup costs about three reads of memory however large the table is.

use crate::column::Column;
use crate::sections::{Sections, Writer};
use crate::{Error, Result};
use bytemuck::Pod;
use rayon::slice::ParallelSliceMut;

/// About how many keys share an entry of the directory.
const PER_ENTRY: usize = 8;

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
pub struct Table<K> {
    bits: u32,
    /// Where the keys of every entry begin, and at its end how many keys there are.
    directory: Column<u32>,
    keys: Column<K>,
    documents: Column<u32>,
}

impl<K: Key> Table<K> {
    /// Opens the table of this name.
    pub fn open(sections: &Sections, name: &str) -> Result<Self> {
        let directory: Column<u32> = sections.column(&format!("{name}.directory"))?;
        let (keys, documents) = (sections.column(&format!("{name}.keys"))?, sections.column(&format!("{name}.documents"))?);
        let table = Table { bits: directory.len().saturating_sub(1).checked_ilog2().unwrap_or(0), directory, keys, documents };
        let whole = table.directory.len() == (1 << table.bits) + 1
            && table.keys.len() == table.documents.len()
            && table.directory.last().is_some_and(|&last| last as usize == table.keys.len());
        whole.then_some(table).ok_or_else(|| Error::damaged(sections.path(), format!("the columns of table {name} do not fit together")))
    }

    /// The values beside a key, in the order they were written in.
    #[inline]
    pub fn run(&self, key: K) -> &[u32] {
        let entry = key.highest(self.bits);
        let (start, end) = (self.directory[entry] as usize, self.directory[entry + 1] as usize);
        let keys = &self.keys[start..end];
        let first = keys.partition_point(|&other| other < key);
        let count = match keys.get(first) {
            Some(&other) if other == key => keys[first..].partition_point(|&other| other == key),
            _ => 0,
        };
        &self.documents[start + first..start + first + count]
    }

    /// All keys, ascending, and the values beside them.
    pub fn entries(&self) -> impl Iterator<Item = (K, u32)> {
        self.keys.iter().copied().zip(self.documents.iter().copied())
    }

    /// Reads the entry of the directory that a lookup will start from, so that several lookups wait for memory at once.
    #[inline]
    pub fn foresee(&self, key: K) -> u32 {
        self.directory[key.highest(self.bits)]
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
