//! Shingles by Rabin's fingerprint (Rabin 1981; Broder, Glassman, Manasse, Zweig 1997; Broder 1993).

use super::polynomial;
use crate::util::splitmix::SplitMix;
use std::sync::Arc;

/// The degree of the polynomial, which is the number of bits of a fingerprint.
const BITS: u32 = 40;
const MASK: u64 = (1 << BITS) - 1;
/// Combined with the seed, so that the polynomial's random stream differs from that of every other use of the seed.
const STREAM: u64 = 0x7261_6269_6E20_3430;

/// w-shingling by fingerprints of 40 bits.
///
/// The tokens t_0 .. t_(n-1) of a shingle, after a leading 1, are the coefficients of a polynomial of degree 64n. The
/// fingerprint is f = x^(64n) + t_0 x^(64(n-1)) + .. + t_(n-1) mod p. The polynomial p is irreducible, has degree 40
/// and is drawn from the seed. Two different shingles have the same fingerprint with a probability of about 2^-40. The
/// feature is f after a one-to-one mix: shingles that are similar as polynomials have similar fingerprints, and samples
/// need an order that behaves as random.
#[derive(Clone, Debug)]
pub struct Rabin {
    /// w, the number of tokens in a shingle, 1 to 64.
    pub width: usize,
    tables: Arc<RabinTables>,
}

/// Tables for the fingerprint of a window: that of all tokens up to its end, minus that of all tokens before its start.
#[derive(Debug)]
struct RabinTables {
    /// Multiplies by x^40: the high bits of a token.
    high: ProductTable<3>,
    /// Multiplies by x^64: one more token.
    on: ProductTable<5>,
    /// Multiplies by x^(64w): w more tokens.
    over: ProductTable<5>,
}

impl Rabin {
    /// Creates the extractor of shingles of `width` tokens under the polynomial of `seed`.
    pub fn new(width: usize, seed: u64) -> Self {
        let p = polynomial::draw(BITS, &mut SplitMix::new(seed ^ STREAM));
        let x64 = (0..64).fold(1, |power, _| polynomial::times(power, 2, p));
        let wide = (0..width).fold(1, |power, _| polynomial::times(power, x64, p));
        let tables =
            RabinTables { high: ProductTable::new(1 << BITS ^ p, p), on: ProductTable::new(x64, p), over: ProductTable::new(wide, p) };
        Rabin { width, tables: Arc::new(tables) }
    }

    /// Appends one feature for each shingle, in order, repeats included. Fewer than w tokens are one shingle.
    pub fn extract(&self, tokens: &[u64], out: &mut Vec<u64>) {
        let RabinTables { high, on, over } = &*self.tables;
        let push = |print: u64, token: u64| on.of(print) ^ token & MASK ^ high.of(token >> BITS);
        let w = self.width;
        if tokens.len() < w {
            let print = tokens.iter().fold(1, |print, &token| push(print, token));
            return out.extend((!tokens.is_empty()).then(|| feature(print)));
        }
        let start = out.len();
        let mut print = 0;
        out.push(print);
        out.extend(tokens.iter().map(|&token| {
            print = push(print, token);
            print
        }));
        // x^(64w) times the fingerprint before the window removes it, and x^(64w) times 1 is the window's leading 1.
        let prints = &mut out[start..];
        for at in 0..=tokens.len() - w {
            prints[at] = feature(prints[at + w] ^ over.of(prints[at] ^ 1));
        }
        out.truncate(start + tokens.len() - w + 1);
    }
}

/// Returns the feature of a fingerprint. Three invertible steps mix its 40 bits and spread them over 64, because all
/// bits of a feature must be random. The last factor is odd, so the spread keeps divisibility by powers of two.
#[inline(always)]
fn feature(print: u64) -> u64 {
    let h = (print ^ print >> 20).wrapping_mul(0x6D_1CE4_E5B9) & MASK;
    let h = (h ^ h >> 20).wrapping_mul(0xBB_1331_11EB) & MASK;
    (h ^ h >> 20).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// A product with one fixed factor, byte by byte: row i contains what each value of byte i adds to the product.
#[derive(Debug)]
struct ProductTable<const BYTES: usize>([[u64; 256]; BYTES]);

impl<const BYTES: usize> ProductTable<BYTES> {
    fn new(factor: u64, p: u64) -> Self {
        let (mut rows, mut power) = ([[0; 256]; BYTES], factor);
        for row in &mut rows {
            for bit in 0..8 {
                // The bytes whose highest bit is `bit`.
                for low in 0..1 << bit {
                    row[1 << bit | low] = row[low] ^ power;
                }
                power = polynomial::times(power, 2, p);
            }
        }
        ProductTable(rows)
    }

    /// Returns the product with a value of `BYTES` bytes.
    #[inline(always)]
    fn of(&self, value: u64) -> u64 {
        let bytes = value.to_le_bytes();
        self.0.iter().zip(bytes).fold(0, |product, (row, byte)| product ^ row[usize::from(byte)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Bit by bit, highest first: doubles the value and adds the bit.
    fn slow(shingle: &[u64], p: u64) -> u64 {
        let bits = shingle.iter().flat_map(|token| (0..64).rev().map(move |bit| token >> bit & 1));
        bits.fold(1, |print, bit| polynomial::remainder(print << 1 ^ bit, p))
    }

    /// The inverse of `odd` modulo 2^64, by Newton's method.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
    }

    /// The 40 mixed bits of a feature.
    fn narrow(feature: u64) -> u64 {
        feature.wrapping_mul(inverse(0xD6E8_FEB8_6659_FD93))
    }

    proptest! {
        #[test]
        fn equals_the_definition(tokens in proptest::collection::vec(any::<u64>(), 0..90), width in 1usize..=64, seed in any::<u64>()) {
            let p = polynomial::draw(BITS, &mut SplitMix::new(seed ^ STREAM));
            let mut features = vec![7];
            Rabin::new(width, seed).extract(&tokens, &mut features);
            let windows: Vec<&[u64]> = if (1..width).contains(&tokens.len()) { vec![&tokens] } else { tokens.windows(width).collect() };
            let expected: Vec<u64> = std::iter::once(7).chain(windows.iter().map(|shingle| feature(slow(shingle, p)))).collect();
            prop_assert_eq!(features, expected);
        }

        #[test]
        fn mixing_can_be_undone(print in 0u64..=MASK) {
            let unshift = |h: u64| h ^ h >> 20;
            let h = narrow(feature(print));
            prop_assert!(h <= MASK);
            let h = unshift(h).wrapping_mul(inverse(0xBB_1331_11EB)) & MASK;
            let h = unshift(h).wrapping_mul(inverse(0x6D_1CE4_E5B9)) & MASK;
            prop_assert_eq!(unshift(h), print);
        }
    }

    #[test]
    fn golden_features() {
        for (seed, p, expected) in [
            (0, 0x01F4_F0CF_FB71, [0x3F25_F18E_41CD_FE10, 0x6AAD_876C_E7BA_050D, 0xA7CE_0812_681C_AA53]),
            (7, 0x01E0_8BC1_3B3D, [0xEBCA_BF7B_9C18_57C4, 0x3D17_CF21_39F0_A926, 0x0328_A3C3_43CC_83A0]),
        ] {
            assert_eq!(polynomial::draw(BITS, &mut SplitMix::new(seed ^ STREAM)), p);
            let mut features = Vec::new();
            Rabin::new(2, seed).extract(&[1, 2, 3, u64::MAX], &mut features);
            assert_eq!(features, expected);
        }
    }

    #[test]
    fn numbers_of_tokens_differ() {
        let rabin = Rabin::new(10, 0);
        let feature = |tokens: &[u64]| {
            let mut features = Vec::new();
            rabin.extract(tokens, &mut features);
            features[0]
        };
        // Leading zero tokens would vanish without the leading 1.
        let distinct: BTreeSet<u64> = [&[5][..], &[0, 5], &[0, 0, 5], &[0]].map(feature).into();
        assert_eq!(distinct.len(), 4);
    }

    #[test]
    fn one_bit_changes_half_of_the_mixed_ones() {
        let mut stream = SplitMix::new(3);
        for bit in 0..BITS {
            let mut changes = [0u32; 40];
            for _ in 0..2000 {
                let print = stream.draw() & MASK;
                let changed = narrow(feature(print)) ^ narrow(feature(print ^ 1 << bit));
                changes.iter_mut().enumerate().for_each(|(at, count)| *count += (changed >> at & 1) as u32);
            }
            // Expected are 1000 +- 22; a deviation of 18 times that never occurs.
            assert!(changes.iter().all(|count| (600..1400).contains(count)), "{bit}: {changes:?}");
        }
    }
}
