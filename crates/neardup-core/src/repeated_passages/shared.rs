//! Shared anchors: anchors whose fingerprint occurs at least twice in the corpus.

use super::partitioned::Partitioned;
use crate::Result;
use crate::util::control::PhaseControl;
use crate::util::store::Store;
use rayon::prelude::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of parts into which entries are partitioned, by the highest bits of their fingerprints.
pub const PARTS: usize = 1 << 8;
/// Bytes of a fingerprint while its part is processed: itself and its entry in a map that is half empty and grows.
const BYTES_PER_ENTRY: usize = 96;

/// An anchor: its fingerprint, and its number among all anchors of the corpus.
pub type Anchor = [u64; 2];

/// Returns the part of an anchor or N-gram.
pub fn part(fingerprint: u64) -> usize {
    (fingerprint >> (u64::BITS - PARTS.ilog2())) as usize
}

/// Returns a bit for every anchor of the corpus: whether another anchor has the same fingerprint. Uses about `memory`
/// bytes, and in addition one byte for every eight of the `anchors` anchors.
pub fn shared(
    store: &Store,
    partitioned: &Partitioned<Anchor>,
    anchors: usize,
    memory: usize,
    control: &dyn PhaseControl,
) -> Result<Vec<u64>> {
    let bits: Vec<AtomicU64> = (0..anchors.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let set = |number: u64| bits[(number / 64) as usize].fetch_or(1 << (number % 64), Ordering::Relaxed);
    (0..PARTS).into_par_iter().try_for_each(|part| {
        for share in shares(partitioned.count(store, part)?, memory) {
            control.check()?;
            // The number of the first anchor with each fingerprint.
            let mut first: HashMap<u64, u64, GramHashing> = HashMap::default();
            partitioned.each(store, part, |[fingerprint, number]| {
                if share.takes(fingerprint) {
                    match first.entry(fingerprint) {
                        Slot::Vacant(slot) => {
                            slot.insert(number);
                        }
                        Slot::Occupied(slot) => {
                            set(*slot.get());
                            set(number);
                        }
                    }
                }
                Ok(())
            })?;
        }
        Ok::<_, crate::Error>(())
    })?;
    Ok(bits.into_iter().map(AtomicU64::into_inner).collect())
}

/// Whether an anchor is shared.
pub fn is_shared(bits: &[u64], number: u64) -> bool {
    bits[(number / 64) as usize] >> (number % 64) & 1 == 1
}

/// A share of a part that is processed at once.
#[derive(Clone, Copy)]
pub(super) struct SharedPart {
    number: u64,
    of: u64,
}

impl SharedPart {
    /// Whether a fingerprint of the part is in the share, by the bits below those that select the part.
    pub(super) fn takes(self, fingerprint: u64) -> bool {
        self.of == 1 || (u128::from(fingerprint << PARTS.ilog2()) * u128::from(self.of)) >> 64 == u128::from(self.number)
    }
}

/// Returns the shares of a part with `count` entries: as many as needed so that the shares of all threads fit in `memory`.
pub(super) fn shares(count: usize, memory: usize) -> impl Iterator<Item = SharedPart> {
    let wanted = count.saturating_mul(BYTES_PER_ENTRY * rayon::current_num_threads());
    let of = wanted.div_ceil(memory.max(1)).clamp(1, count.max(1)) as u64;
    (0..of).map(move |number| SharedPart { number, of })
}

/// Fingerprints are already hashes. But the fingerprints of a part have the same highest bits, which a map uses, too.
pub(super) type GramHashing = BuildHasherDefault<GramHasher>;

#[derive(Clone, Copy, Default)]
pub(super) struct GramHasher(u64);

impl Hasher for GramHasher {
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn write_u64(&mut self, fingerprint: u64) {
        self.0 = self.0.rotate_left(32) ^ fingerprint;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }
}
