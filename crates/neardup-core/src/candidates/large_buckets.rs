//! Large buckets: a block of text makes many that are equal, and the first of them is kept.
//!
//! That is the first by table and key, wherever parts of the keys end: what a document is in, and so how much it looks at,
//! is the same for any memory and any threads.

use crate::Result;
use crate::candidates::buckets::{Buckets, StoredBuckets};
use crate::util::ids::DocId;
use crate::util::store::Store;
use rayon::prelude::*;
use std::collections::HashSet;

/// Buckets of this many documents are stored once.
const LEAST: usize = 64;
/// What is kept of a digest: 128 bits.
type ShortDigest = [u8; 16];

/// About how many bytes are known of large buckets until all parts are arranged, for each document that is in one.
pub const BYTES_PER_ENTRY: usize = 1;

/// The large buckets of one part.
#[derive(Debug, Default)]
pub struct LargeBuckets {
    digests: HashSet<ShortDigest>,
    /// The digests in the order of the buckets, and their numbers among those of the part.
    placed: Vec<(ShortDigest, u32)>,
}

impl LargeBuckets {
    /// Whether no bucket of these documents, ascending, came before; it would be the one of this number.
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

    /// Forgets what only speaks of the part itself.
    pub fn finish(mut self) -> Self {
        self.digests = HashSet::new();
        self
    }
}

/// Keeps of large buckets that are equal the first one, among the parts of one table.
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
