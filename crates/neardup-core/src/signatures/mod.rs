//! Signatures: a small stand-in for the features of a document, of one shape for every method.

mod digest;
mod minhash;
mod projection;
mod signs;
mod simhash;
mod values;
mod whole;

pub use digest::Digest;
pub use minhash::MinHash;
pub use projection::Projection;
pub use simhash::SimHash;
pub use values::Values;
pub use whole::Whole;

use neardup_text::simd::Level;
use neardup_text::steps::Steps;

/// A signature a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Signature {
    /// One digest of the feature set.
    Digest(Digest),
    /// k minima under k permutations.
    MinHash(MinHash),
    /// The signs of sums over directions drawn at random for every feature.
    Projection(Projection),
    /// The signs of weighted sums over the bits of feature hashes.
    SimHash(SimHash),
    /// The whole feature set.
    Whole(Whole),
}

impl Signature {
    /// Writes the signature of one document's `features` (repeats allowed, at least one) to `values`, and
    /// meanwhile may take steps `beside`.
    pub fn sign(&self, level: Level, features: &[u64], beside: &mut impl Steps, values: &mut Values) {
        values.clear();
        match self {
            Signature::Digest(digest) => digest.sign(features, values),
            Signature::MinHash(minhash) => minhash.sign(level, features, beside, &mut values.narrow),
            Signature::Projection(projection) => projection.sign(level, features, values),
            Signature::SimHash(simhash) => simhash.sign(level, features, values),
            Signature::Whole(whole) => whole.sign(features, &mut values.wide),
        }
    }

    /// How many values make one key of `each`.
    pub fn values_per_key(&self) -> u64 {
        match self {
            Signature::Digest(_) => 2,
            _ => 1,
        }
    }
}
