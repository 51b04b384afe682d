//! The 128-bit digest of bytes or words: wide multiplications over four lanes, two 64-bit states each.

use crate::fingerprint::{fold, split_mix};

/// A digest under way: stripes of eight words go in, 128 bits come out.
///
/// With K0..K15 the first sixteen keys of the seed, all states 0 at the start, and for each lane `j` of four:
///
/// ```text
/// a_j = fold(w_2j   ^ a_j ^ K_j,     w_2j+1 ^ K_4+j)
/// b_j = fold(w_2j+1 ^ b_j ^ K_8+j,   w_2j   ^ K_12+j)
/// ```
///
/// The last stripe, filled up with zeros, always comes, empty or not. Then, over the lanes in order,
/// `x = fold(x ^ a_j, b_j ^ K_8+j)` from `x = length ^ K_0` and `y = fold(y ^ b_j, a_j+1 ^ K_12+j)` from
/// `y = length ^ K_4` (lane 4 is lane 0); the digest is `y * 2^64 + x`. Every block of 16 bytes goes through two
/// independent products, so a difference must vanish in both.
pub(crate) struct Digest {
    keys: [u64; 16],
    a: [u64; 4],
    b: [u64; 4],
}

impl Digest {
    #[inline(always)]
    pub(crate) const fn new(seed: u64) -> Self {
        let mut keys = [0; 16];
        let mut i = 0;
        while i < 16 {
            keys[i] = split_mix(seed, i as u64);
            i += 1;
        }
        Self { keys, a: [0; 4], b: [0; 4] }
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, w: [u64; 8]) {
        let k = &self.keys;
        for j in 0..4 {
            let (even, odd) = (w[2 * j], w[2 * j + 1]);
            self.a[j] = fold(even ^ self.a[j] ^ k[j], odd ^ k[4 + j]);
            self.b[j] = fold(odd ^ self.b[j] ^ k[8 + j], even ^ k[12 + j]);
        }
    }

    #[inline(always)]
    pub(crate) fn finish(mut self, last: [u64; 8], length: u64) -> u128 {
        self.take(last);
        let k = &self.keys;
        let (mut x, mut y) = (length ^ k[0], length ^ k[4]);
        for j in 0..4 {
            x = fold(x ^ self.a[j], self.b[j] ^ k[8 + j]);
            y = fold(y ^ self.b[j], self.a[(j + 1) % 4] ^ k[12 + j]);
        }
        (u128::from(y) << 64) | u128::from(x)
    }
}

/// The digest of bytes; `form` tells what kind of bytes they are, and is mixed in as the seed.
pub(crate) fn digest_bytes(bytes: &[u8], form: Form) -> u128 {
    let mut digest = match form {
        Form::Plain => const { Digest::new(0) },
        Form::Json => const { Digest::new(1) },
    };
    let (stripes, rest) = bytes.as_chunks::<64>();
    stripes.iter().for_each(|stripe| digest.take(words(stripe)));
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    digest.finish(words(&last), bytes.len() as u64)
}

/// How bytes stand for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Json,
}

#[inline(always)]
fn words(stripe: &[u8; 64]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(stripe.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
