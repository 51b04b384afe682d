//! The digest of a whole sequence of tokens.

use crate::fingerprint::digest::DigestStream;

/// Returns the 128-bit digest of a sequence of token hashes, including their order and number.
///
/// It costs one multiplication per token. Two different sequences have the same digest with a probability of about 2^-128.
#[must_use]
pub fn sequence(tokens: &[u64], seed: u64) -> u128 {
    sequence_in_steps(tokens, seed).finish()
}

/// Returns the same digest as a stream whose steps can be interleaved with other work.
#[doc(hidden)]
#[must_use]
pub fn sequence_in_steps(tokens: &[u64], seed: u64) -> DigestStream<'_, [u64; 8]> {
    DigestStream::of_words(tokens, seed)
}
