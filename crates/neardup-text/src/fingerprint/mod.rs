//! The hashes of a token, of a shingle, and of a sequence of tokens. They are frozen, and golden vectors pin them.
//!
//! All arithmetic is modulo 2^64 unless stated otherwise. Words are read little-endian on every machine. `fold(a, b)` is the low
//! half of the 128-bit product `a * b`, xor its high half. The keys of a seed are the outputs of SplitMix64 started at that seed
//! (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). None of these hashes withstands an adversary who
//! knows the seed.

#[doc(hidden)]
pub mod digest;
mod sequence;
mod shingle;
mod token;

pub use sequence::sequence;
#[doc(hidden)]
pub use sequence::sequence_in_steps;
pub use shingle::shingles;
#[doc(hidden)]
pub use shingle::shingles_on;
pub use token::token;
pub(crate) use token::{TokenKeys, absorb, finish};

/// Returns the low half of the product, xor its high half.
#[inline(always)]
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

/// Returns output number `index` (from 0) of SplitMix64 started at `seed`.
#[inline(always)]
pub(crate) const fn split_mix(seed: u64, index: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(index.wrapping_add(1)));
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
