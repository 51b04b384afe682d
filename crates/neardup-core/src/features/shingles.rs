//! Shingles: runs of w consecutive tokens (Broder, Glassman, Manasse, Zweig 1997).

use neardup_text::fingerprint;
use neardup_text::simd::Level;

/// w-shingling; a text of fewer than w tokens has one shingle of all of them, a text without tokens none.
#[derive(Clone, Debug)]
pub struct Shingles {
    /// w, the tokens in a shingle, 1 to 64.
    pub width: usize,
}

impl Shingles {
    /// Appends one 64-bit fingerprint per shingle, in order, repeats included.
    pub fn extract(&self, level: Level, tokens: &[u64], out: &mut Vec<u64>) {
        fingerprint::shingles_on(level, tokens, self.width, out);
    }
}
