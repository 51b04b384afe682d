//! The digest of a whole sequence of tokens.

use crate::digest::Digest;

/// The 128-bit digest of a sequence of token hashes, their order and number included.
///
/// One multiplication a token. Two different sequences share a digest by chance with odds of about 2^-128.
#[must_use]
pub fn sequence(tokens: &[u64], seed: u64) -> u128 {
    let mut digest = Digest::new(seed);
    let (stripes, rest) = tokens.as_chunks::<8>();
    stripes.iter().for_each(|stripe| digest.take(*stripe));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    digest.finish(last, tokens.len() as u64)
}
