//! Lanes for any machine: eight bytes in a word.

use super::{Lanes, positions_by_bit};

/// Lanes for every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
const HIGH: u64 = !LOW;
const ONES: u64 = 0x0101_0101_0101_0101;

impl Lanes for Portable {
    type Block = [u64; 8];
    const SLOTS: usize = 16;

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> [u64; 8] {
        let mut block = [0; 8];
        for (word, bytes) in block.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        block
    }

    #[inline(always)]
    fn store(self, block: [u64; 8], out: &mut [u8; 64]) {
        for (word, bytes) in block.iter().zip(out.as_chunks_mut::<8>().0) {
            *bytes = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn eq(self, block: [u64; 8], byte: u8) -> u64 {
        gather(block, |x| {
            let x = x ^ (u64::from(byte) * ONES);
            !(((x & LOW) + LOW) | x) & HIGH
        })
    }

    #[inline(always)]
    fn between(self, block: [u64; 8], first: u8, last: u8) -> u64 {
        // The high bit alone distinguishes bytes of the other half of the code.
        let half = if first < 0x80 { HIGH } else { 0 };
        gather(block, |x| within(x, first & 0x7F, last & 0x7F) & (x ^ half))
    }

    #[inline(always)]
    fn high(self, block: [u64; 8]) -> u64 {
        gather(block, |x| x & HIGH)
    }

    #[inline(always)]
    fn fold_words(self, mut block: [u64; 8]) -> ([u64; 8], u64) {
        for x in &mut block {
            *x |= (within(*x, b'A', b'Z') & !*x) >> 2;
        }
        let words = gather(block, |x| {
            let underscore = x ^ (u64::from(b'_') * ONES);
            let underscore = !((underscore & LOW) + LOW) & HIGH;
            (within(x, b'a', b'z') | within(x, b'0', b'9') | underscore) & !x
        });
        (block, words)
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

/// Sets the high bit of every byte whose low seven bits are in `first..=last`.
#[inline(always)]
fn within(x: u64, first: u8, last: u8) -> u64 {
    let x = x & LOW;
    let from = x + u64::from(0x80 - first) * ONES;
    let beyond = x + u64::from(0x7F - last) * ONES;
    from & !beyond & HIGH
}

/// Returns the high bits of the bytes as a mask.
#[inline(always)]
fn gather(block: [u64; 8], test: impl Fn(u64) -> u64) -> u64 {
    let mut mask = 0;
    for (i, x) in block.into_iter().enumerate() {
        // Bit 8i moves to bit 56 + i. No two products overlap.
        mask |= ((test(x) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}
