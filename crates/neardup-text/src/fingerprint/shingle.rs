//! The hash of a shingle: `w` consecutive tokens.

use super::split_mix;
use crate::simd::{Kernel, Lanes, Level};

/// Appends the hash of every `w`-shingle of the token hashes to `out`, in order and with repeats: `n - w + 1` hashes.
///
/// With 1 to `w - 1` tokens it appends one hash, of all tokens. The number of tokens is hashed too, so the hash differs from that
/// of any other number of tokens. Without tokens it appends nothing. A `w` of 0 counts as 1.
///
/// A shingle of tokens `t_0 .. t_(n-1)` has the hash `mix(n * L + sum of t_i * M_i)`. `M_i` is output `i` of SplitMix64 started at
/// 0, made odd, `L = 0x9E3779B97F4A7C15` and
/// `mix(h): h ^= h >> 32; h *= 0xD6E8FEB86659FD93; h ^= h >> 32; h *= 0xD6E8FEB86659FD93; h ^= h >> 32`.
/// The sum is multilinear (Carter, Wegman: Universal classes of hash functions, 1979): for random token hashes it is uniform. The
/// mixer spreads it, so that low and high bits can be used as separate hashes.
pub fn shingles(tokens: &[u64], w: usize, out: &mut Vec<u64>) {
    shingles_on(Level::best(), tokens, w, out);
}

/// Like [`shingles`], on a given instruction set, for tests and measurements.
#[doc(hidden)]
pub fn shingles_on(level: Level, tokens: &[u64], w: usize, out: &mut Vec<u64>) {
    let w = w.max(1).min(tokens.len());
    if w > 0 {
        level.run(ShingleKernel { tokens, w, out });
    }
}

struct ShingleKernel<'a> {
    tokens: &'a [u64],
    /// From 1 to the number of tokens.
    w: usize,
    out: &'a mut Vec<u64>,
}

/// First multipliers. Later ones are computed on each use.
const READY: [u64; 16] = {
    let mut multipliers = [0; 16];
    let mut i = 0;
    while i < 16 {
        multipliers[i] = multiplier(i);
        i += 1;
    }
    multipliers
};
const LENGTH: u64 = 0x9E37_79B9_7F4A_7C15;
const MIX: u64 = 0xD6E8_FEB8_6659_FD93;

const fn multiplier(index: usize) -> u64 {
    split_mix(0, index as u64) | 1
}

impl Kernel for ShingleKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { tokens, w, out } = self;
        let known = out.len();
        out.resize(known + tokens.len() - w + 1, 0);
        let out = &mut out[known..];
        // The compiler vectorises the loop for each of the usual widths.
        match w {
            1 => fixed::<1>(tokens, out),
            2 => fixed::<2>(tokens, out),
            3 => fixed::<3>(tokens, out),
            4 => fixed::<4>(tokens, out),
            5 => fixed::<5>(tokens, out),
            6 => fixed::<6>(tokens, out),
            7 => fixed::<7>(tokens, out),
            8 => fixed::<8>(tokens, out),
            9 => fixed::<9>(tokens, out),
            10 => fixed::<10>(tokens, out),
            12 => fixed::<12>(tokens, out),
            16 => fixed::<16>(tokens, out),
            _ => any(tokens, w, out),
        }
    }
}

#[inline(always)]
fn fixed<const W: usize>(tokens: &[u64], out: &mut [u64]) {
    for (window, out) in tokens.windows(W).zip(out) {
        let Some(window) = window.first_chunk::<W>() else { continue };
        let mut sum = LENGTH.wrapping_mul(W as u64);
        for i in 0..W {
            sum = sum.wrapping_add(window[i].wrapping_mul(READY[i]));
        }
        *out = mix(sum);
    }
}

#[inline(always)]
fn any(tokens: &[u64], w: usize, out: &mut [u64]) {
    out.fill(LENGTH.wrapping_mul(w as u64));
    for i in 0..w {
        let multiplier = multiplier(i);
        for (sum, token) in out.iter_mut().zip(&tokens[i..]) {
            *sum = sum.wrapping_add(token.wrapping_mul(multiplier));
        }
    }
    for sum in out {
        *sum = mix(*sum);
    }
}

#[inline(always)]
const fn mix(h: u64) -> u64 {
    let h = (h ^ (h >> 32)).wrapping_mul(MIX);
    let h = (h ^ (h >> 32)).wrapping_mul(MIX);
    h ^ (h >> 32)
}
