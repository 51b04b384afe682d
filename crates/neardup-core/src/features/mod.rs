//! Features: what a scheme compares, made from the tokens of a text.

mod abstracts;
pub mod antecedents;
mod chunks;
mod shingles;
pub mod spots;

pub use abstracts::Abstract;
pub use chunks::Chunks;
pub use shingles::Shingles;
pub use spots::Spots;

use neardup_text::fingerprint;
use neardup_text::simd::Level;

/// The features a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Features {
    /// The beginning of the text.
    Abstract(Abstract),
    /// Runs of tokens that do not overlap.
    Chunks(Chunks),
    /// Runs of consecutive tokens.
    Shingles(Shingles),
    /// Antecedents with the chains behind them.
    Spots(Spots),
}

impl Features {
    /// How many tokens a text must have for features that are whole.
    pub fn tokens(&self) -> usize {
        match self {
            Features::Shingles(shingles) => shingles.width,
            Features::Abstract(_) | Features::Chunks(_) | Features::Spots(_) => 1,
        }
    }

    /// Writes the features of `tokens` to `out`, repeats included, in order; spots, whose repeats are features of their
    /// own, in any order.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        out.clear();
        match self {
            Features::Abstract(beginning) => beginning.extract(level, tokens, out),
            Features::Chunks(chunks) => chunks.extract(level, tokens, out),
            Features::Shingles(shingles) => shingles.extract(level, tokens, out),
            Features::Spots(spots) => spots.extract(level, tokens, out),
        }
    }
}

/// A feature that stands for `feature` together with a number, of its rank or time.
fn tag(feature: u64, number: u64) -> u64 {
    let mut tagged = Vec::with_capacity(1);
    fingerprint::shingles(&[feature, number], 2, &mut tagged);
    tagged.first().copied().unwrap_or(feature)
}
