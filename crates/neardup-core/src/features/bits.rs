//! The bits of a fingerprint that was made elsewhere, as features.

/// The features (position, bit) for every bit of a fingerprint, in order. Two fingerprints of f bits that differ in h
/// bits share f - h of their f features. A document that does not have exactly one fingerprint has no features.
#[derive(Clone, Debug)]
pub struct Bits {
    /// f: 64 or 128, that is, one or two given integers. The first contains bits 0 to 63.
    pub bits: usize,
}

impl Bits {
    /// Appends f features.
    pub fn extract(&self, tokens: &[u64], out: &mut Vec<u64>) {
        if tokens.len() * 64 == self.bits {
            out.extend((0..self.bits).map(|at| code(at, tokens[at / 64] >> (at % 64) & 1 == 1)));
        }
    }
}

/// Returns the feature of a bit, spread over 64 bits, because sets use all bits of a feature.
pub fn code(position: usize, bit: bool) -> u64 {
    (2 * position as u64 + u64::from(bit) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
