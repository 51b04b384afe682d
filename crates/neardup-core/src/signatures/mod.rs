//! Signatures: small summaries of the features of a document, in the same form for every method.

mod digest;
mod given;
mod levels;
mod lexicons;
mod method;
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
pub use method::SignatureMethod;
pub use minhash::MinHash;
pub use minima::Minima;
pub use moduli::Moduli;
pub use projection::Projection;
pub use simhash::SimHash;
pub use supershingles::SuperShingles;
pub use values::Values;
pub use whole::Whole;

use crate::sets::parts::SketchPart;
use neardup_text::simd::Level;
use neardup_text::steps::QuarterSteps;

/// Defines [`Signature`] by its methods, each of which is a [`SignatureMethod`].
macro_rules! signatures {
    ($($(#[$doc:meta])+ $name:ident),+ $(,)?) => {
        /// A signature that a pass asks for, ready to run.
        #[derive(Clone, Debug)]
        pub enum Signature {
            $($(#[$doc])+ $name($name)),+
        }

        impl Signature {
            /// Writes the signature of one document's `features` (repeats allowed, at least one) to `values`, and
            /// meanwhile may take steps `beside`.
            pub fn sign(&self, level: Level, features: &[u64], beside: &mut impl QuarterSteps, values: &mut Values) {
                values.clear();
                match self {
                    $(Signature::$name(method) => method.sign(level, features, beside, values)),+
                }
            }

            /// See [`SignatureMethod::KEEPS_FEATURES`].
            pub fn keeps_features(&self) -> bool {
                match self {
                    $(Signature::$name(_) => $name::KEEPS_FEATURES),+
                }
            }

            /// See [`SignatureMethod::IS_SAMPLE`].
            pub fn is_sample(&self) -> bool {
                match self {
                    $(Signature::$name(_) => $name::IS_SAMPLE),+
                }
            }

            /// See [`SignatureMethod::HAS_LEVELS`].
            pub fn has_levels(&self) -> bool {
                match self {
                    $(Signature::$name(_) => $name::HAS_LEVELS),+
                }
            }

            /// See [`SignatureMethod::VALUES_PER_KEY`].
            pub fn values_per_key(&self) -> u64 {
                match self {
                    $(Signature::$name(_) => $name::VALUES_PER_KEY),+
                }
            }

            /// See [`SignatureMethod::leaves_out`].
            pub fn leaves_out(&self, sample: SketchPart<'_>, features: u32) -> bool {
                match self {
                    $(Signature::$name(method) => method.leaves_out(sample, features)),+
                }
            }

            /// See [`SignatureMethod::unpack`].
            pub fn unpack(&self, words: &[u64]) -> Vec<u64> {
                match self {
                    $(Signature::$name(method) => method.unpack(words)),+
                }
            }
        }
    };
}

signatures! {
    /// One digest of the feature set.
    Digest,
    /// A fingerprint that was computed elsewhere.
    GivenFingerprint,
    /// Features that are 0 mod a power of two.
    Levels,
    /// Digests of random selections of the features.
    Lexicons,
    /// k minima under k permutations.
    MinHash,
    /// The smallest features.
    Minima,
    /// Features that are 0 mod m.
    Moduli,
    /// The signs of sums over directions that are drawn at random for every feature.
    Projection,
    /// The signs of weighted sums over the bits of feature hashes.
    SimHash,
    /// Shingles of the smallest features.
    SuperShingles,
    /// The whole feature set.
    Whole,
}
