//! Lanes of four NEON registers.
#![allow(unsafe_code, reason = "processor intrinsics; each block says why it is sound")]

use std::arch::aarch64::*;

use super::{Kernel, Lanes, positions_by_bit};

/// Proof that the processor has NEON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neon(());

/// Runs the kernel with these lanes.
///
/// # Safety
/// The processor must have NEON.
#[target_feature(enable = "neon")]
pub(super) unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Neon(()))
}

impl Lanes for Neon {
    type Block = [uint8x16_t; 4];
    const SLOTS: usize = 32;

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> [uint8x16_t; 4] {
        let p = bytes.as_ptr();
        // SAFETY: `self` proves the feature; the four loads lie inside the 64 bytes.
        unsafe { [vld1q_u8(p), vld1q_u8(p.add(16)), vld1q_u8(p.add(32)), vld1q_u8(p.add(48))] }
    }

    #[inline(always)]
    fn store(self, block: [uint8x16_t; 4], out: &mut [u8; 64]) {
        let p = out.as_mut_ptr();
        // SAFETY: `self` proves the feature; the four stores lie inside the 64 bytes.
        unsafe {
            vst1q_u8(p, block[0]);
            vst1q_u8(p.add(16), block[1]);
            vst1q_u8(p.add(32), block[2]);
            vst1q_u8(p.add(48), block[3]);
        }
    }

    #[inline(always)]
    fn eq(self, block: [uint8x16_t; 4], byte: u8) -> u64 {
        // SAFETY: `self` proves the feature.
        unsafe {
            let byte = vdupq_n_u8(byte);
            mask([vceqq_u8(block[0], byte), vceqq_u8(block[1], byte), vceqq_u8(block[2], byte), vceqq_u8(block[3], byte)])
        }
    }

    #[inline(always)]
    fn between(self, block: [uint8x16_t; 4], first: u8, last: u8) -> u64 {
        // SAFETY: `self` proves the feature.
        unsafe {
            mask([
                within(block[0], first, last),
                within(block[1], first, last),
                within(block[2], first, last),
                within(block[3], first, last),
            ])
        }
    }

    #[inline(always)]
    fn high(self, block: [uint8x16_t; 4]) -> u64 {
        self.between(block, 0x80, 0xFF)
    }

    #[inline(always)]
    fn fold_words(self, block: [uint8x16_t; 4]) -> ([uint8x16_t; 4], u64) {
        // SAFETY: `self` proves the feature.
        unsafe {
            let (a, b) = (fold_words(block[0]), fold_words(block[1]));
            let (c, d) = (fold_words(block[2]), fold_words(block[3]));
            ([a.0, b.0, c.0, d.0], mask([a.1, b.1, c.1, d.1]))
        }
    }

    #[inline(always)]
    fn positions(self, mask: u64, base: u16, out: &mut [u16; 64]) {
        positions_by_bit(mask, base, out);
    }

    #[inline(always)]
    fn low_bits(self, word: u64, bits: u32) -> u64 {
        if bits >= 64 { word } else { word & !(u64::MAX << bits) }
    }
}

const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Returns one bit of every byte. All bits of a byte must be equal.
///
/// # Safety
/// The processor must have NEON.
#[inline(always)]
unsafe fn mask(block: [uint8x16_t; 4]) -> u64 {
    // SAFETY: the caller's promise; the load is of a table of 16 bytes.
    unsafe {
        let bits = vld1q_u8(BITS.as_ptr());
        // Adding neighbours three times gathers the bits of eight bytes into one byte.
        let ab = vpaddq_u8(vandq_u8(block[0], bits), vandq_u8(block[1], bits));
        let cd = vpaddq_u8(vandq_u8(block[2], bits), vandq_u8(block[3], bits));
        let all = vpaddq_u8(ab, cd);
        let all = vpaddq_u8(all, all);
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(all))
    }
}

/// Sets all bits of every byte in `first..=last`.
///
/// # Safety
/// The processor must have NEON.
#[inline(always)]
unsafe fn within(x: uint8x16_t, first: u8, last: u8) -> uint8x16_t {
    // SAFETY: the caller's promise.
    unsafe { vcleq_u8(vsubq_u8(x, vdupq_n_u8(first)), vdupq_n_u8(last.wrapping_sub(first))) }
}

/// A quarter of [`Lanes::fold_words`]: returns the lower-cased bytes, and all bits of every word byte.
///
/// # Safety
/// The processor must have NEON.
#[inline(always)]
unsafe fn fold_words(x: uint8x16_t) -> (uint8x16_t, uint8x16_t) {
    // SAFETY: the caller's promise.
    unsafe {
        let low = vorrq_u8(x, vandq_u8(within(x, b'A', b'Z'), vdupq_n_u8(0x20)));
        let letters = within(low, b'a', b'z');
        let digits = within(low, b'0', b'9');
        let underscore = vceqq_u8(low, vdupq_n_u8(b'_'));
        (low, vorrq_u8(vorrq_u8(letters, digits), underscore))
    }
}
