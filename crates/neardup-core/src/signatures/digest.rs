//! A digest of the whole feature set: equal digests mean equal sets.

use super::{SignatureMethod, Values};
use md5::Md5;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;
use sha1::{Digest as _, Sha1};

/// Hash function of a feature set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetHash {
    /// BLAKE3, the first 128 of its 256 bits.
    Blake3,
    /// MD5, all of its 128 bits; not secure against an attacker.
    Md5,
    /// SHA-1, the first 128 of its 160 bits.
    Sha1,
}

/// 128 bits of a hash over the distinct features, ascending, each in 8 bytes, low byte first.
///
/// The probability that two of n different sets have the same digest is n^2 / 2^129.
#[derive(Clone, Debug)]
pub struct Digest {
    /// The hash function.
    pub hash: SetHash,
}

impl Digest {
    fn halves(&self, bytes: &[u8]) -> [u64; 2] {
        match self.hash {
            SetHash::Blake3 => halves(blake3::hash(bytes).as_bytes()),
            SetHash::Md5 => halves(&Md5::digest(bytes)),
            SetHash::Sha1 => halves(&Sha1::digest(bytes)),
        }
    }
}

impl SignatureMethod for Digest {
    const VALUES_PER_KEY: u64 = 2;

    /// Writes the two 64-bit halves, ascending.
    fn sign(&self, _: Level, features: &[u64], _: &mut impl QuarterSteps, values: &mut Values) {
        let halves = self.halves(bytemuck::cast_slice(values.ascending.distinct(features)));
        values.wide.extend(halves);
        values.wide.sort_unstable();
    }
}

/// Returns the first 16 bytes as two words, the low byte of each first.
fn halves(hash: &[u8]) -> [u64; 2] {
    [0, 8].map(|at| hash[at..at + 8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_digests() {
        // Digests of the bytes 61 00 .. 00 62 00 .. 00; those of MD5 and SHA-1 are from Python's hashlib.
        for (hash, golden) in [
            (SetHash::Blake3, "ffcd25407076c1c362351f798bc7d465"),
            (SetHash::Md5, "f14d62ea3c295f43b4e05384c2133b5e"),
            (SetHash::Sha1, "10ba7e235befa74d564cb3f8bc0186fc"),
        ] {
            let mut values = Values::default();
            Digest { hash }.sign(Level::best(), &[0x62, 0x61, 0x62], &mut (), &mut values);
            let halves = Digest { hash }.halves(bytemuck::cast_slice(&[0x61u64, 0x62]));
            let hex: String = halves.iter().flat_map(|half| half.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, golden);
            assert_eq!(values.wide, [halves[0].min(halves[1]), halves[0].max(halves[1])]);
        }
    }
}
