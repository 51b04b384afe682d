//! The hash of one token.

use super::{fold, split_mix};

/// Returns the 64-bit hash of the bytes of a token.
///
/// K0..K3 are the first four keys of the seed, and `len` is the number of bytes:
///
/// ```text
/// h = 0
/// while more than 16 bytes are left:  h = fold(word0 ^ K2 ^ h, word1 ^ K3), and continue 16 bytes
/// the rest, filled up to 16 bytes with zeros:  fold(word0 ^ K0 ^ h, word1 ^ K1 ^ len)
/// ```
///
/// So a token of up to 16 bytes, as nearly all are, costs two masked loads and one multiplication without a branch. Only all 64
/// bits together distinguish tokens: unlike the hash of a shingle, a part of them is not a hash of its own. The empty token has a
/// hash too. This is the plain form; the [`Tokeniser`](crate::Tokeniser) computes the same values.
#[must_use]
pub fn token(bytes: &[u8], seed: u64) -> u64 {
    TokenKeys::new(seed).token(bytes)
}

/// The four keys of a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenKeys([u64; 4]);

impl TokenKeys {
    pub(crate) fn new(seed: u64) -> Self {
        Self([0, 1, 2, 3].map(|i| split_mix(seed, i)))
    }

    /// Returns the hash of the bytes of a token (see [`token`]).
    #[inline]
    pub(crate) fn token(self, bytes: &[u8]) -> u64 {
        let full = bytes.len().saturating_sub(1) / 16 * 16;
        let (body, rest) = bytes.split_at(full);
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        let (low, high) = halves(&last);
        finish(self, absorb(self, 0, body), low, high, bytes.len())
    }
}

/// Absorbs complete blocks of 16 bytes into the state. None of them may be the last block of a token. A rest of less than 16 bytes
/// is ignored.
pub(crate) fn absorb(keys: TokenKeys, state: u64, body: &[u8]) -> u64 {
    body.as_chunks::<16>().0.iter().fold(state, |h, block| {
        let (low, high) = halves(block);
        fold(low ^ keys.0[2] ^ h, high ^ keys.0[3])
    })
}

/// Returns the hash from the state before the last block, the two words of that block and the whole length.
#[inline(always)]
pub(crate) fn finish(keys: TokenKeys, state: u64, low: u64, high: u64, len: usize) -> u64 {
    fold(low ^ keys.0[0] ^ state, high ^ keys.0[1] ^ len as u64)
}

fn halves(block: &[u8; 16]) -> (u64, u64) {
    let both = u128::from_le_bytes(*block);
    (both as u64, (both >> 64) as u64)
}
