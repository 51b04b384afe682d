//! Lanes of two AVX2 registers.
#![allow(unsafe_code, reason = "processor intrinsics; each block says why it is sound")]

use std::arch::x86_64::*;

use super::{Kernel, Lanes, positions_by_bit};

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

/// Runs the kernel with these lanes.
///
/// # Safety
/// The processor must have the features.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

impl Lanes for Avx2 {
    type Block = [__m256i; 2];
    const SLOTS: usize = 32;

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> [__m256i; 2] {
        let p = bytes.as_ptr();
        // SAFETY: `self` proves the feature; both loads lie inside the 64 bytes, and need no alignment.
        unsafe { [_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(32).cast())] }
    }

    #[inline(always)]
    fn store(self, block: [__m256i; 2], out: &mut [u8; 64]) {
        let p = out.as_mut_ptr();
        // SAFETY: `self` proves the feature; both stores lie inside the 64 bytes, and need no alignment.
        unsafe {
            _mm256_storeu_si256(p.cast(), block[0]);
            _mm256_storeu_si256(p.add(32).cast(), block[1]);
        }
    }

    #[inline(always)]
    fn eq(self, block: [__m256i; 2], byte: u8) -> u64 {
        // SAFETY: `self` proves the feature.
        unsafe {
            let byte = _mm256_set1_epi8(byte as i8);
            mask([_mm256_cmpeq_epi8(block[0], byte), _mm256_cmpeq_epi8(block[1], byte)])
        }
    }

    #[inline(always)]
    fn between(self, block: [__m256i; 2], first: u8, last: u8) -> u64 {
        // SAFETY: `self` proves the feature.
        unsafe { mask([within(block[0], first, last), within(block[1], first, last)]) }
    }

    #[inline(always)]
    fn high(self, block: [__m256i; 2]) -> u64 {
        // SAFETY: `self` proves the feature.
        unsafe { mask(block) }
    }

    #[inline(always)]
    fn fold_words(self, block: [__m256i; 2]) -> ([__m256i; 2], u64) {
        // SAFETY: `self` proves the feature.
        unsafe {
            let (a, b) = (fold_words(block[0]), fold_words(block[1]));
            ([a.0, b.0], mask([a.1, b.1]))
        }
    }

    #[inline(always)]
    fn positions(self, mask: u64, base: u16, out: &mut [u16; 64]) {
        positions_by_bit(mask, base, out);
    }

    #[inline(always)]
    fn low_bits(self, word: u64, bits: u32) -> u64 {
        // SAFETY: `self` proves the feature.
        unsafe { _bzhi_u64(word, bits) }
    }
}

/// Returns the high bit of every byte.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn mask(block: [__m256i; 2]) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        let low = _mm256_movemask_epi8(block[0]) as u32;
        let high = _mm256_movemask_epi8(block[1]) as u32;
        u64::from(low) | (u64::from(high) << 32)
    }
}

/// Sets all bits of every byte in `first..=last`.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn within(x: __m256i, first: u8, last: u8) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let shifted = _mm256_sub_epi8(x, _mm256_set1_epi8(first as i8));
        let width = _mm256_set1_epi8(last.wrapping_sub(first) as i8);
        _mm256_cmpeq_epi8(_mm256_min_epu8(shifted, width), shifted)
    }
}

/// Half of [`Lanes::fold_words`]: returns the lower-cased bytes, and all bits of every word byte.
///
/// # Safety
/// The processor must have AVX2.
#[inline(always)]
unsafe fn fold_words(x: __m256i) -> (__m256i, __m256i) {
    // SAFETY: the caller's promise.
    unsafe {
        let upper = _mm256_and_si256(within(x, b'A', b'Z'), _mm256_set1_epi8(0x20));
        let low = _mm256_or_si256(x, upper);
        let letters = within(low, b'a', b'z');
        let digits = within(low, b'0', b'9');
        let underscore = _mm256_cmpeq_epi8(low, _mm256_set1_epi8(b'_' as i8));
        (low, _mm256_or_si256(_mm256_or_si256(letters, digits), underscore))
    }
}
