//! Partitioned entries: pieces of a list in the store, each partitioned, so that one part can be read from all pieces.

use crate::util::radix_partition::RadixPartition;
use crate::util::store::{Store, StoredColumn};
use bytemuck::Pod;
use serde::{Deserialize, Serialize};
use std::io;

/// Pieces of a list, each with the same number of parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Partitioned<T> {
    pieces: Vec<PartitionedPiece<T>>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct PartitionedPiece<T> {
    entries: StoredColumn<T>,
    /// Ends of the parts.
    ends: StoredColumn<u32>,
}

/// Partitions pieces; each thread needs its own.
pub struct RadixPartitioner<T> {
    partition: RadixPartition<T>,
    ends: Vec<u32>,
}

impl<T> Default for RadixPartitioner<T> {
    fn default() -> Self {
        RadixPartitioner { partition: RadixPartition::default(), ends: Vec::new() }
    }
}

impl<T> Default for Partitioned<T> {
    fn default() -> Self {
        Partitioned { pieces: Vec::new() }
    }
}

impl<T: Pod> RadixPartitioner<T> {
    /// Partitions `entries`, fewer than 2^32, into `parts` parts, and writes them to the store as one piece.
    pub fn partition(&mut self, store: &Store, entries: &[T], parts: usize, part: impl Fn(T) -> usize) -> io::Result<Partitioned<T>> {
        if entries.is_empty() {
            return Ok(Partitioned::default());
        }
        self.partition.out(entries, parts, part);
        self.ends.clear();
        self.ends.extend(self.partition.ends.iter().map(|&end| end as u32));
        Ok(Partitioned {
            pieces: vec![PartitionedPiece { entries: store.append(&self.partition.entries)?, ends: store.append(&self.ends)? }],
        })
    }
}

impl<T: Pod> Partitioned<T> {
    /// Appends the pieces of another list.
    pub fn append(&mut self, mut more: Partitioned<T>) {
        self.pieces.append(&mut more.pieces);
    }

    /// Returns the number of entries in all parts.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.entries.len()).sum()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of entries in a part.
    pub fn count(&self, store: &Store, part: usize) -> io::Result<usize> {
        self.pieces.iter().map(|piece| piece.place(store, part).map(|place| place.len())).sum()
    }

    /// Calls `each` with the entries of a part, piece by piece, and inside a piece in the original order.
    pub fn each(&self, store: &Store, part: usize, mut each: impl FnMut(T) -> io::Result<()>) -> io::Result<()> {
        for piece in &self.pieces {
            store.read(piece.entries, piece.place(store, part)?)?.into_iter().try_for_each(&mut each)?;
        }
        Ok(())
    }
}

impl<T> PartitionedPiece<T> {
    fn place(&self, store: &Store, part: usize) -> io::Result<std::ops::Range<usize>> {
        let ends = store.read(self.ends, part.saturating_sub(1)..part + 1)?;
        let start = if part == 0 { 0 } else { ends[0] as usize };
        Ok(start..ends[ends.len() - 1] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_in_the_order_of_the_pieces() {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let (mut partitioner, mut partitioned) = (RadixPartitioner::default(), Partitioned::default());
        let pieces: [&[u32]; 4] = [&[7, 3, 10, 4], &[], &[6, 1, 9], &[2, 5]];
        pieces.iter().for_each(|piece| partitioned.append(partitioner.partition(&store, piece, 3, |value| value as usize % 3).unwrap()));
        let part = |number: usize| {
            let mut entries = Vec::new();
            partitioned
                .each(&store, number, |entry| {
                    entries.push(entry);
                    Ok(())
                })
                .unwrap();
            assert_eq!(entries.len(), partitioned.count(&store, number).unwrap());
            entries
        };
        assert_eq!((partitioned.len(), partitioned.is_empty()), (9, false));
        assert_eq!([part(0), part(1), part(2)], [vec![3, 6, 9], vec![7, 10, 4, 1], vec![2, 5]]);
    }
}
