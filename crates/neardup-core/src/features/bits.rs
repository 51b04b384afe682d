//! The bits of a fingerprint that was made elsewhere, as features.

/// (position, bit) for every bit of a fingerprint, in order: two fingerprints of f bits that differ in h share f - h of
/// their f features. A document that has not exactly one fingerprint has none.
#[derive(Clone, Debug)]
pub struct Bits {
    /// f: 64 or 128, which is one given integer or two, the one with bits 0 to 63 first.
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

/// The feature of a bit: spread, since sets look at all of a feature's bits.
pub fn code(position: usize, bit: bool) -> u64 {
    (2 * position as u64 + u64::from(bit) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
