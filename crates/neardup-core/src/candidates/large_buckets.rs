//! Large buckets: a common block of text produces many equal ones, of which only the first is kept.
//!
//! It is the first by table and key, wherever the parts of the keys end. So the buckets of a document, and the number of
//! its comparisons, are the same for any memory and any threads.

use crate::Result;
use crate::candidates::buckets::{Buckets, StoredBuckets};
use crate::util::ids::DocId;
use crate::util::store::Store;
use rayon::prelude::*;
use std::collections::HashSet;

/// Minimum number of documents of a large bucket. Equal ones are stored once.
const LEAST: usize = 64;
/// A digest, shortened to 128 bits.
type ShortDigest = [u8; 16];

/// Approximate bytes kept on large buckets until all parts are arranged, per document in such a bucket.
pub const BYTES_PER_ENTRY: usize = 1;

/// The large buckets of one part.
#[derive(Debug, Default)]
pub struct LargeBuckets {
    digests: HashSet<ShortDigest>,
    /// The digests in the order of the buckets, with the buckets' numbers in the part.
    placed: Vec<(ShortDigest, u32)>,
}

impl LargeBuckets {
    /// Whether no earlier bucket contains the same documents, which ascend. `number` is the number that this bucket would
    /// get.
    pub fn is_new(&mut self, documents: &[DocId], number: usize) -> bool {
        if documents.len() < LEAST {
            return true;
        }
        let mut digest = ShortDigest::default();
        digest.copy_from_slice(&blake3::hash(bytemuck::cast_slice(documents)).as_bytes()[..size_of::<ShortDigest>()]);
        let is_new = self.digests.insert(digest);
        if is_new {
            self.placed.push((digest, number as u32));
        }
        is_new
    }

    /// Drops the data that is needed only within the part.
    pub fn finish(mut self) -> Self {
        self.digests = HashSet::new();
        self
    }
}

/// Keeps the first of equal large buckets among the parts of one table.
pub fn keep_first(parts: &mut [(StoredBuckets, LargeBuckets)], store: &Store) -> Result<()> {
    let mut digests = HashSet::new();
    let mut again = |large: &LargeBuckets| -> Vec<u32> {
        let again = large.placed.iter().filter(|(digest, _)| !digests.insert(*digest));
        again.map(|&(_, number)| number).collect()
    };
    let again: Vec<Vec<u32>> = parts.iter().map(|(_, large)| again(large)).collect();
    drop(digests);
    let parts = parts.par_iter_mut().zip(again).filter(|(_, again)| !again.is_empty());
    parts.try_for_each(|((stored, _), again)| {
        let (buckets, mut again) = (Buckets::load(store, [&*stored])?, again.into_iter().peekable());
        let mut first = Buckets::default();
        for (number, bucket) in (0..).zip(buckets.iter()) {
            if again.next_if_eq(&number).is_none() {
                first.push(bucket.iter().copied());
            }
        }
        stored.let_go(store);
        *stored = first.store(store, stored.kind, stored.table)?;
        Ok(())
    })
}
