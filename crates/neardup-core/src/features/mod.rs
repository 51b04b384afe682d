//! Features: what a scheme compares, made from the tokens of a text.

mod shingles;

pub use shingles::Shingles;

use neardup_text::simd::Level;

/// The features a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Features {
    /// Runs of consecutive tokens.
    Shingles(Shingles),
}

impl Features {
    /// How many tokens one feature takes.
    pub fn tokens(&self) -> usize {
        match self {
            Features::Shingles(shingles) => shingles.width,
        }
    }

    /// Writes the features of `tokens` to `out`, repeats included, in order.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        out.clear();
        match self {
            Features::Shingles(shingles) => shingles.extract(level, tokens, out),
        }
    }
}
