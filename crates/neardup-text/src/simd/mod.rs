//! SIMD: 64 bytes at a time, on every kind of processor. It is the only module with `unsafe`.
//!
//! An algorithm is a `Kernel`, written once over `Lanes`. `Level::run` compiles it for each instruction set, and the best one is
//! chosen at run time. All levels produce the same bits.
//!
//! A test compares every instruction set with a simple implementation, byte by byte.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use std::sync::LazyLock;

/// Operations of an instruction set on 64 bytes. Bit `i` of a mask represents byte `i`.
///
/// A value of the implementing type proves that the processor has the instructions: only [`Level`] creates one.
pub trait Lanes: Copy {
    /// 64 bytes in registers.
    type Block: Copy;
    /// Number of 32-bit numbers of each of three kinds that fit into the registers.
    const SLOTS: usize;

    /// Loads the bytes into registers.
    fn load(self, bytes: &[u8; 64]) -> Self::Block;
    /// Stores the bytes in memory.
    fn store(self, block: Self::Block, out: &mut [u8; 64]);
    /// Returns where the byte equals `byte`.
    fn eq(self, block: Self::Block, byte: u8) -> u64;
    /// Returns where the byte is in `first..=last`. Both bounds must be below 0x80, or neither.
    fn between(self, block: Self::Block, first: u8, last: u8) -> u64;
    /// Returns where the byte is not ASCII.
    fn high(self, block: Self::Block) -> u64;
    /// Returns the block with A-Z in lower case, and where it has an ASCII letter, digit or `_`.
    fn fold_words(self, block: Self::Block) -> (Self::Block, u64);
    /// Writes `base` plus the index of every set bit, in order. The rest of `out` is unspecified.
    fn positions(self, mask: u64, base: u16, out: &mut [u16; 64]);
    /// Returns the low `bits` bits of the word. These are all bits if `bits` is 64 to 255.
    fn low_bits(self, word: u64, bits: u32) -> u64;
}

/// An algorithm over [`Lanes`]. `run`, and everything that it calls with lanes, must be `#[inline(always)]`. Only then is it
/// compiled with the instructions of its level.
pub trait Kernel {
    /// Result of the algorithm.
    type Output;
    /// Runs the algorithm.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// An instruction set of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(LevelKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LevelKind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Portable,
}

impl Level {
    /// Returns the best level of this machine.
    #[must_use]
    pub fn best() -> Self {
        static BEST: LazyLock<Level> = LazyLock::new(|| Level::available()[0]);
        *BEST
    }

    /// Returns every level of this machine, best first. The portable one is always available.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let kinds = [
            #[cfg(target_arch = "x86_64")]
            avx512::Avx512::detect().then_some(LevelKind::Avx512),
            #[cfg(target_arch = "x86_64")]
            avx2::Avx2::detect().then_some(LevelKind::Avx2),
            #[cfg(target_arch = "aarch64")]
            Some(LevelKind::Neon),
            Some(LevelKind::Portable),
        ];
        kinds.into_iter().flatten().map(Self).collect()
    }

    /// Returns the name of the level.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            LevelKind::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            LevelKind::Neon => "neon",
            LevelKind::Portable => "portable",
        }
    }

    /// Runs the kernel compiled for this level.
    #[inline]
    #[allow(unsafe_code, reason = "a level is only ever made where its instructions were detected")]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available` made this level after detecting the features that `call` enables.
            LevelKind::Avx512 => unsafe { avx512::call(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            LevelKind::Avx2 => unsafe { avx2::call(kernel) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: NEON belongs to the baseline of this architecture.
            LevelKind::Neon => unsafe { neon::call(kernel) },
            LevelKind::Portable => kernel.run(portable::Portable),
        }
    }
}

/// Returns the `N` bytes at `at`. Bytes after the end are zeros; in that case `room` holds the result.
#[inline(always)]
pub(crate) fn bytes_at<'a, const N: usize>(source: &'a [u8], at: usize, room: &'a mut [u8; N]) -> &'a [u8; N] {
    match source[at..].first_chunk() {
        Some(bytes) => bytes,
        None => {
            *room = [0; N];
            room[..source.len() - at].copy_from_slice(&source[at..]);
            room
        }
    }
}

/// [`Lanes::positions`] bit by bit, eight bits at a time so that the usual number costs one or two branches.
#[inline(always)]
fn positions_by_bit(mut mask: u64, base: u16, out: &mut [u16; 64]) {
    for eight in out.as_chunks_mut::<8>().0 {
        if mask == 0 {
            break;
        }
        for position in eight {
            *position = base.wrapping_add(mask.trailing_zeros() as u16);
            mask &= mask.wrapping_sub(1);
        }
    }
}

#[cfg(test)]
mod tests;
