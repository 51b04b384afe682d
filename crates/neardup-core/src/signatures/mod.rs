//! Signatures: a small sketch of the features of a document, of one shape for every method.

mod digest;
mod given;
mod levels;
mod lexicons;
mod minhash;
mod minima;
mod moduli;
mod projection;
mod signs;
mod simhash;
mod supershingles;
mod values;
mod whole;

pub use digest::{Digest, SetHash};
pub use given::GivenFingerprint;
pub use levels::{Levels, kept_at};
pub use lexicons::Lexicons;
pub use minhash::MinHash;
pub use minima::Minima;
pub use moduli::Moduli;
pub use projection::Projection;
pub use simhash::SimHash;
pub use supershingles::SuperShingles;
pub use values::Values;
pub use whole::Whole;

use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// A signature a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Signature {
    /// One digest of the feature set.
    Digest(Digest),
    /// A fingerprint that was made elsewhere.
    Given(GivenFingerprint),
    /// Features that are 0 mod a power of two.
    Levels(Levels),
    /// Digests of random choices of the features.
    Lexicons(Lexicons),
    /// k minima under k permutations.
    MinHash(MinHash),
    /// The smallest features.
    Minima(Minima),
    /// Features that are 0 mod m.
    Moduli(Moduli),
    /// The signs of sums over directions drawn at random for every feature.
    Projection(Projection),
    /// The signs of weighted sums over the bits of feature hashes.
    SimHash(SimHash),
    /// Shingles of the smallest features.
    SuperShingles(SuperShingles),
    /// The whole feature set.
    Whole(Whole),
}

impl Signature {
    /// Writes the signature of one document's `features` (repeats allowed, at least one) to `values`, and
    /// meanwhile may take steps `beside`.
    pub fn sign(&self, level: Level, features: &[u64], beside: &mut impl QuarterSteps, values: &mut Values) {
        values.clear();
        match self {
            Signature::Digest(digest) => digest.sign(features, values),
            Signature::Given(given) => given.sign(features, values),
            Signature::Levels(levels) => levels.sign(features, values),
            Signature::Lexicons(lexicons) => {
                values.set.make(|room| room.extend_from_slice(features));
                lexicons.sign(values.set.features(), &mut values.wide);
            }
            Signature::MinHash(minhash) => minhash.sign(level, features, beside, &mut values.narrow),
            Signature::Minima(minima) => minima.sign(features, values),
            Signature::Moduli(moduli) => moduli.sign(features, &mut values.wide),
            Signature::Projection(projection) => projection.sign(level, features, values),
            Signature::SimHash(simhash) => simhash.sign(level, features, values),
            Signature::SuperShingles(supershingles) => supershingles.sign(level, features, values),
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
