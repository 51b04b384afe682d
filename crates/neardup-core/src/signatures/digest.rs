//! A digest of the whole feature set: equal digests mean equal sets.

use super::Values;

/// 128 bits of BLAKE3 over the distinct features, ascending.
///
/// The odds that two of n different sets share a digest are n^2 / 2^129.
#[derive(Clone, Debug)]
pub struct Digest;

impl Digest {
    /// Writes the two halves, ascending.
    pub fn sign(&self, features: &[u64], values: &mut Values) {
        let mut distinct = features.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let hash = blake3::hash(bytemuck::cast_slice(&distinct));
        let half = |at: usize| hash.as_bytes()[at..at + 8].iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
        values.wide.extend([half(0), half(8)]);
        values.wide.sort_unstable();
    }
}
