//! Features: what a scheme compares, made from the tokens of a text.

pub(crate) mod bits;
mod polynomial;
mod rabin;
mod shingles;

pub use bits::Bits;
pub use rabin::Rabin;
pub use shingles::Shingles;

use neardup_text::simd::Level;

/// The features a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Features {
    /// The bits of a given fingerprint.
    Bits(Bits),
    /// Runs of consecutive tokens.
    Shingles(Shingles),
    /// The same by Rabin's fingerprint.
    Rabin(Rabin),
}

impl Features {
    /// How many tokens one feature takes.
    pub fn tokens(&self) -> usize {
        match self {
            Features::Bits(bits) => bits.bits / 64,
            Features::Shingles(shingles) => shingles.width,
            Features::Rabin(rabin) => rabin.width,
        }
    }

    /// Writes the features of `tokens` to `out`, repeats included, in order.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        out.clear();
        match self {
            Features::Bits(bits) => bits.extract(tokens, out),
            Features::Shingles(shingles) => shingles.extract(level, tokens, out),
            Features::Rabin(rabin) => rabin.extract(tokens, out),
        }
    }
}
