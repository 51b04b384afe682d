//! Lanes of one AVX-512 register.
#![allow(unsafe_code, reason = "processor intrinsics; each block says why it is sound")]

use std::arch::x86_64::*;

use super::{Kernel, Lanes};

/// Proof that the processor has AVX-512 with byte permutations and compression (VBMI, VBMI2) and bit counts (VPOPCNTDQ).
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq")
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
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn call<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// For every ASCII byte: 0x80 if it belongs to a word, and 0x20 if it is a capital.
const CLASSES: [u8; 128] = {
    let mut classes = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        if b.is_ascii_alphanumeric() || b == b'_' {
            classes[byte] = if b.is_ascii_uppercase() { 0xA0 } else { 0x80 };
        }
        byte += 1;
    }
    classes
};

const INDICES: [u8; 64] = {
    let mut indices = [0; 64];
    let mut i = 0;
    while i < 64 {
        indices[i] = i as u8;
        i += 1;
    }
    indices
};

impl Lanes for Avx512 {
    type Block = __m512i;
    const SLOTS: usize = 96;

    #[inline(always)]
    fn load(self, bytes: &[u8; 64]) -> __m512i {
        // SAFETY: `self` proves the features; the load is of exactly these 64 bytes, and needs no alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, block: __m512i, out: &mut [u8; 64]) {
        // SAFETY: `self` proves the features; the store is to exactly these 64 bytes, and needs no alignment.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), block) }
    }

    #[inline(always)]
    fn eq(self, block: __m512i, byte: u8) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn between(self, block: __m512i, first: u8, last: u8) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe {
            let shifted = _mm512_sub_epi8(block, _mm512_set1_epi8(first as i8));
            _mm512_cmple_epu8_mask(shifted, _mm512_set1_epi8(last.wrapping_sub(first) as i8))
        }
    }

    #[inline(always)]
    fn high(self, block: __m512i) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { _mm512_movepi8_mask(block) }
    }

    #[inline(always)]
    fn fold_words(self, block: __m512i) -> (__m512i, u64) {
        // SAFETY: `self` proves the features; the loads are of 64 bytes of a table of 128.
        unsafe {
            let low = _mm512_loadu_si512(CLASSES.as_ptr().cast());
            let high = _mm512_loadu_si512(CLASSES.as_ptr().add(64).cast());
            let ascii = !_mm512_movepi8_mask(block);
            let class = _mm512_maskz_permutex2var_epi8(ascii, low, block, high);
            // block | (class & 0x20), as a truth table of three inputs.
            let folded = _mm512_ternarylogic_epi64::<0xF8>(block, class, _mm512_set1_epi8(0x20));
            (folded, _mm512_movepi8_mask(class))
        }
    }

    #[inline(always)]
    fn positions(self, mask: u64, base: u16, out: &mut [u16; 64]) {
        let p = out.as_mut_ptr();
        // SAFETY: `self` proves the features; each store is to 32 of the 64 places.
        unsafe {
            let indices = _mm512_loadu_si512(INDICES.as_ptr().cast());
            let packed = _mm512_maskz_compress_epi8(mask, indices);
            let base = _mm512_set1_epi16(base as i16);
            let front = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(packed));
            _mm512_storeu_si512(p.cast(), _mm512_add_epi16(front, base));
            if mask.count_ones() > 32 {
                let back = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(packed));
                _mm512_storeu_si512(p.add(32).cast(), _mm512_add_epi16(back, base));
            }
        }
    }

    #[inline(always)]
    fn low_bits(self, word: u64, bits: u32) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { _bzhi_u64(word, bits) }
    }
}
