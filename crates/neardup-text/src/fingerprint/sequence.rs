//! The digest of a whole sequence of tokens.

use crate::fingerprint::digest::DigestStream;

/// The 128-bit digest of a sequence of token hashes, their order and number included.
///
/// One multiplication a token. Two different sequences share a digest by chance with odds of about 2^-128.
#[must_use]
pub fn sequence(tokens: &[u64], seed: u64) -> u128 {
    sequence_in_steps(tokens, seed).finish()
}

/// The same, still to be done, beside other work.
#[doc(hidden)]
#[must_use]
pub fn sequence_in_steps(tokens: &[u64], seed: u64) -> DigestStream<'_, [u64; 8]> {
    DigestStream::of_words(tokens, seed)
}
