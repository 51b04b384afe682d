//! Features: what a scheme compares, made from the tokens of a text.

mod abstracts;
pub mod antecedents;
pub(crate) mod bits;
mod chunks;
mod keywords;
mod polynomial;
mod rabin;
mod shingles;
pub mod spots;
mod terms;

pub use abstracts::Abstract;
pub use bits::Bits;
pub use chunks::Chunks;
pub use keywords::Keywords;
pub use rabin::Rabin;
pub use shingles::Shingles;
pub use spots::Spots;
pub use terms::{IdfBand, Terms};

use crate::terms::lexicon::Lexicon;
use crate::terms::weigher::Weigher;
use neardup_text::fingerprint;
use neardup_text::simd::Level;
use std::sync::Arc;

/// A passage of as many tokens as a shingle usually has.
const PASSAGE: usize = 5;

/// The features a pass asks for, ready to run.
#[derive(Clone, Debug)]
pub enum Features {
    /// The bits of a given fingerprint.
    Bits(Bits),
    /// The same by Rabin's fingerprint.
    Rabin(Rabin),
    /// The beginning of the text.
    Abstract(Abstract),
    /// Runs of tokens that do not overlap.
    Chunks(Chunks),
    /// The terms that weigh most.
    Keywords(Keywords),
    /// Runs of consecutive tokens.
    Shingles(Shingles),
    /// Antecedents with the chains behind them.
    Spots(Spots),
    /// Single tokens.
    Terms(Terms),
}

impl Features {
    /// Every token.
    pub const TERMS: Features = Features::Terms(Terms { band: None });

    /// The shingles that are left out, where some are.
    pub fn frame(&self) -> Option<&Arc<Lexicon>> {
        match self {
            Features::Shingles(shingles) => shingles.frame.as_ref(),
            _ => None,
        }
    }

    /// The same features, and nothing left out.
    pub fn framed(self) -> Features {
        match self {
            Features::Shingles(shingles) => Features::Shingles(Shingles { frame: None, ..shingles }),
            other => other,
        }
    }

    /// How many tokens a text must have for features that are whole.
    pub fn tokens(&self) -> usize {
        match self {
            Features::Bits(bits) => bits.bits / 64,
            Features::Shingles(shingles) => shingles.width,
            Features::Rabin(rabin) => rabin.width,
            Features::Abstract(_) | Features::Chunks(_) | Features::Keywords(_) | Features::Spots(_) | Features::Terms(_) => 1,
        }
    }

    /// How many tokens in a row are a passage worth showing.
    pub fn passage(&self) -> usize {
        match self {
            Features::Bits(_) => 1,
            Features::Shingles(shingles) => shingles.width,
            Features::Rabin(rabin) => rabin.width,
            Features::Chunks(chunks) => chunks.length.min(PASSAGE),
            Features::Abstract(_) | Features::Keywords(_) | Features::Spots(_) | Features::Terms(_) => PASSAGE,
        }
    }

    /// Writes the features of `tokens` to `out`, repeats included, in order; spots and keywords, which
    /// have none, in an order of their own.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        out.clear();
        match self {
            Features::Bits(bits) => bits.extract(tokens, out),
            Features::Rabin(rabin) => rabin.extract(tokens, out),
            Features::Abstract(beginning) => beginning.extract(level, tokens, out),
            Features::Chunks(chunks) => chunks.extract(level, tokens, out),
            Features::Keywords(keywords) => keywords.extract(level, tokens, out),
            Features::Shingles(shingles) => shingles.extract(level, tokens, out),
            Features::Spots(spots) => spots.extract(level, tokens, out),
            Features::Terms(terms) => terms.extract(level, tokens, out),
        }
    }

    /// Writes the distinct features of `tokens` to `out`, ascending, with the weights that `weigher` gives them; keywords
    /// with those by which they were chosen. `scratch` is room to be reused.
    pub fn weigh(&self, level: Level, tokens: &[u64], weigher: &Weigher, scratch: &mut Vec<u64>, out: &mut Vec<(u64, u64)>) {
        out.clear();
        if let Features::Keywords(keywords) = self {
            keywords.weigh(level, tokens, out);
            return out.sort_unstable();
        }
        self.extract(level, tokens, scratch);
        weigher.weigh(scratch, out);
    }
}

/// A feature that represents `feature` together with a number, of its rank or time.
fn tag(feature: u64, number: u64) -> u64 {
    let mut tagged = Vec::with_capacity(1);
    fingerprint::shingles(&[feature, number], 2, &mut tagged);
    tagged.first().copied().unwrap_or(feature)
}
