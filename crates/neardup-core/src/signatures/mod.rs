//! Signatures: a small stand-in for a feature set, of one shape for every method.

mod minhash;
mod whole;

pub use minhash::MinHash;
pub use whole::Whole;

use neardup_text::simd::Level;
use neardup_text::steps::Steps;

/// The signature a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Signature {
    /// k minima under k permutations.
    MinHash(MinHash),
    /// The whole feature set.
    Whole(Whole),
}

/// The values of one signature; their width belongs to the method.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// 32-bit values.
    pub narrow: Vec<u32>,
    /// 64-bit values.
    pub wide: Vec<u64>,
}

impl Signature {
    /// Writes the signature of one document's `features` (repeats allowed, at least one) to `values`, and
    /// meanwhile may take steps `beside`.
    pub fn sign(&self, level: Level, features: &[u64], beside: &mut impl Steps, values: &mut Values) {
        match self {
            Signature::MinHash(minhash) => minhash.sign(level, features, beside, &mut values.narrow),
            Signature::Whole(whole) => whole.sign(features, &mut values.wide),
        }
    }
}
