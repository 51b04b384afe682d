//! Features: the values that a scheme compares, computed from the tokens of a text.

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

/// Tokens in a passage if the features do not define it: the usual width of a shingle.
const PASSAGE: usize = 5;

/// The features of a pass, ready to run.
#[derive(Clone, Debug)]
pub enum Features {
    /// The bits of a given fingerprint.
    Bits(Bits),
    /// Runs of consecutive tokens, by Rabin's fingerprint.
    Rabin(Rabin),
    /// The beginning of the text.
    Abstract(Abstract),
    /// Runs of tokens that do not overlap.
    Chunks(Chunks),
    /// The terms with the greatest weights.
    Keywords(Keywords),
    /// Runs of consecutive tokens.
    Shingles(Shingles),
    /// Antecedents with the chains after them.
    Spots(Spots),
    /// Single tokens.
    Terms(Terms),
}

impl Features {
    /// Every token.
    pub const TERMS: Features = Features::Terms(Terms { band: None });

    /// Returns the lexicon of the shingles that are ignored, if there is one.
    pub fn frame(&self) -> Option<&Arc<Lexicon>> {
        match self {
            Features::Shingles(shingles) => shingles.frame.as_ref(),
            _ => None,
        }
    }

    /// Returns the same features, with no shingle ignored.
    pub fn framed(self) -> Features {
        match self {
            Features::Shingles(shingles) => Features::Shingles(Shingles { frame: None, ..shingles }),
            other => other,
        }
    }

    /// Returns the number of tokens from which a text has complete features.
    pub fn tokens(&self) -> usize {
        match self {
            Features::Bits(bits) => bits.bits / 64,
            Features::Shingles(shingles) => shingles.width,
            Features::Rabin(rabin) => rabin.width,
            Features::Abstract(_) | Features::Chunks(_) | Features::Keywords(_) | Features::Spots(_) | Features::Terms(_) => 1,
        }
    }

    /// Returns the number of consecutive tokens that make a passage worth showing.
    pub fn passage(&self) -> usize {
        match self {
            Features::Bits(_) => 1,
            Features::Shingles(shingles) => shingles.width,
            Features::Rabin(rabin) => rabin.width,
            Features::Chunks(chunks) => chunks.length.min(PASSAGE),
            Features::Abstract(_) | Features::Keywords(_) | Features::Spots(_) | Features::Terms(_) => PASSAGE,
        }
    }

    /// Writes the features of `tokens` to `out`, repeats included, in text order. Spots and keywords have no text order
    /// and are written in an order of their own.
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

    /// Writes the distinct features of `tokens` to `out`, ascending, with their weights by `weigher`. Keywords have the
    /// weights by which they were selected. `scratch` is a buffer for reuse.
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

/// Returns a feature that represents `feature` together with `number`: its rank, or the number of its repeat.
fn tag(feature: u64, number: u64) -> u64 {
    let mut tagged = Vec::with_capacity(1);
    fingerprint::shingles(&[feature, number], 2, &mut tagged);
    tagged.first().copied().unwrap_or(feature)
}
