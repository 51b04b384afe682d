//! The 128-bit digest of bytes or words: wide multiplications over four lanes, two 64-bit states each.

use crate::fingerprint::{fold, split_mix};
use crate::steps::QuarterSteps;

/// A digest in progress. Each step takes one stripe, and [`finish`](Self::finish) does the remaining steps.
#[derive(Clone, Debug)]
pub struct DigestStream<'a, S> {
    state: DigestState,
    stripes: &'a [S],
    /// The rest after the stripes, padded with zeros.
    last: S,
    length: u64,
}

impl<'a> DigestStream<'a, [u64; 8]> {
    /// Starts the digest of words, including their number.
    pub(crate) fn of_words(words: &'a [u64], seed: u64) -> Self {
        let (stripes, rest) = words.as_chunks();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        Self { state: DigestState::new(seed), stripes, last, length: words.len() as u64 }
    }
}

impl<'a> DigestStream<'a, [u8; 64]> {
    /// Starts the digest of bytes. `form` is the form of the text, and is mixed in as the seed.
    pub(crate) fn of_bytes(bytes: &'a [u8], form: TextForm) -> Self {
        let state = match form {
            TextForm::Plain => const { DigestState::new(0) },
            TextForm::Json => const { DigestState::new(1) },
        };
        let (stripes, rest) = bytes.as_chunks();
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        Self { state, stripes, last, length: bytes.len() as u64 }
    }
}

impl<S: Stripe> DigestStream<'_, S> {
    /// Returns the digest of the whole input.
    #[must_use]
    pub fn finish(mut self) -> u128 {
        while !self.stripes.is_empty() {
            (0..4).for_each(|lane| self.quarter(lane));
        }
        self.state.finish(self.last, self.length)
    }
}

impl<S: Stripe> QuarterSteps for DigestStream<'_, S> {
    #[inline(always)]
    fn quarter(&mut self, lane: usize) {
        if let [stripe, rest @ ..] = self.stripes {
            self.state.0[lane].take(stripe.pair(lane));
            if lane == 3 {
                self.stripes = rest;
            }
        }
    }
}

/// Eight words, or their bytes: four pairs.
pub trait Stripe {
    /// Returns the pair of a lane.
    fn pair(&self, lane: usize) -> [u64; 2];
}

impl Stripe for [u64; 8] {
    #[inline(always)]
    fn pair(&self, lane: usize) -> [u64; 2] {
        self.as_chunks().0[lane]
    }
}

impl Stripe for [u8; 64] {
    #[inline(always)]
    fn pair(&self, lane: usize) -> [u64; 2] {
        let both = u128::from_le_bytes(self.as_chunks().0[lane]);
        [both as u64, (both >> 64) as u64]
    }
}

/// State of a digest: it absorbs stripes of eight words and produces 128 bits.
///
/// K0..K15 are the first sixteen keys of the seed. All states are 0 at the start. For each lane `j` of four:
///
/// ```text
/// a_j = fold(w_2j   ^ a_j ^ K_j,     w_2j+1 ^ K_4+j)
/// b_j = fold(w_2j+1 ^ b_j ^ K_8+j,   w_2j   ^ K_12+j)
/// ```
///
/// The last stripe, padded with zeros, is always absorbed, even if it is empty. Then, over the lanes in order,
/// `x = fold(x ^ a_j, b_j ^ K_8+j)` from `x = length ^ K_0` and `y = fold(y ^ b_j, a_j+1 ^ K_12+j)` from `y = length ^ K_4` (lane 4
/// is lane 0). The digest is `y * 2^64 + x`. Every block of 16 bytes passes through two independent products, so a difference must
/// vanish in both.
#[derive(Clone, Copy, Debug)]
struct DigestState([DigestLane; 4]);

/// The two states of one lane, each next to its keys. If the states were adjacent, the compiler would gather them in vectors, which
/// have no wide multiplication.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct DigestLane {
    a: u64,
    a_keys: [u64; 2],
    b: u64,
    b_keys: [u64; 2],
}

impl DigestLane {
    #[inline(always)]
    fn take(&mut self, [even, odd]: [u64; 2]) {
        self.a = fold(even ^ self.a ^ self.a_keys[0], odd ^ self.a_keys[1]);
        self.b = fold(odd ^ self.b ^ self.b_keys[0], even ^ self.b_keys[1]);
    }
}

impl DigestState {
    const fn new(seed: u64) -> Self {
        let mut lanes = [DigestLane { a: 0, a_keys: [0; 2], b: 0, b_keys: [0; 2] }; 4];
        let mut j = 0;
        while j < 4 {
            lanes[j].a_keys = [split_mix(seed, j as u64), split_mix(seed, 4 + j as u64)];
            lanes[j].b_keys = [split_mix(seed, 8 + j as u64), split_mix(seed, 12 + j as u64)];
            j += 1;
        }
        Self(lanes)
    }

    #[inline(always)]
    fn finish(mut self, last: impl Stripe, length: u64) -> u128 {
        for j in 0..4 {
            self.0[j].take(last.pair(j));
        }
        let lanes = &self.0;
        let (mut x, mut y) = (length ^ lanes[0].a_keys[0], length ^ lanes[0].a_keys[1]);
        for j in 0..4 {
            x = fold(x ^ lanes[j].a, lanes[j].b ^ lanes[j].b_keys[0]);
            y = fold(y ^ lanes[j].b, lanes[(j + 1) % 4].a ^ lanes[j].b_keys[1]);
        }
        (u128::from(y) << 64) | u128::from(x)
    }
}

/// The form in which bytes represent a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    Plain,
    Json,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_taken_before_change_nothing() {
        let bytes: Vec<u8> = (0..=255).cycle().take(700).map(|byte: u8| byte.wrapping_mul(37)).collect();
        for length in [0, 1, 63, 64, 65, 640, 700] {
            let digest = |steps: usize| {
                let mut digest = DigestStream::of_bytes(&bytes[..length], TextForm::Plain);
                (0..4 * steps).for_each(|number| digest.quarter(number % 4));
                digest.finish()
            };
            for steps in 1..12 {
                assert_eq!(digest(steps), digest(0), "{steps} steps over {length} bytes");
            }
        }
    }
}
