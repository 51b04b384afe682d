//! Passages: the runs of tokens that two texts share, with their places in both.
//!
//! Greedy string tiling (Wise 1993, "String Similarity via Greedy String Tiling and Running Karp-Rabin Matching"): it
//! takes the longest common run of tokens, then the longest of the remaining ones, until no run of w tokens remains.
//! Runs are found by shared shingles and followed along their diagonal: the difference of the positions in both texts.

mod runs;
mod tiles;

use neardup_text::Located;
use std::ops::Range;

/// A run of tokens that both texts contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPassage {
    /// Its tokens in the left text, from 0.
    pub left_tokens: Range<usize>,
    /// Its tokens in the right text; the same number.
    pub right_tokens: Range<usize>,
    /// Its bytes in the left text, from the start of the first token to the end of the last.
    pub left_bytes: Range<usize>,
    /// Its bytes in the right text.
    pub right_bytes: Range<usize>,
}

/// The passages that two texts share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passages {
    /// The passages, ordered by their place in the left text. No two overlap in either text.
    pub passages: Vec<SharedPassage>,
    /// Number of tokens in passages. It is the same on both sides, because a passage pairs tokens one to one.
    pub covered: usize,
    /// Number of tokens of the left text; `covered` divided by it is its coverage.
    pub left: usize,
    /// Number of tokens of the right text.
    pub right: usize,
    /// Whether places were skipped because a shingle repeats too often. The listed passages are still shared, but there
    /// may be more of them, or longer ones.
    pub capped: bool,
}

/// Finds the passages of at least `width` tokens that two texts share.
///
/// A text with fewer than `width` tokens has one shingle of all of them, so it shares a passage only with an equal
/// token sequence. Of runs with the same length, the one that starts first in the left text is taken first, then the
/// one that starts first in the right text. A `width` of 0 counts as 1.
///
/// A shingle that occurs at m places in the left text and n in the right text has m * n pairs of places. If these are
/// more than 64 and neither m nor n is 1, only its first place is paired with its first, its second with its second,
/// and so on. So time and memory grow linearly with the texts; [`Passages::capped`] reports it. Runs are still followed
/// token by token through such shingles, so only texts that repeat themselves throughout lose passages.
pub fn find_passages(left: &[Located], right: &[Located], width: usize) -> Passages {
    let (a, b) = (hashes(left), hashes(right));
    let width = width.max(1);
    let short = left.len().min(right.len()) < width;
    let (runs, capped) = if short { (whole(&a, &b), false) } else { runs::find(&a, &b, width) };
    let mut tiles = tiles::choose(runs, left.len(), right.len(), width);
    tiles.sort_unstable_by_key(|run| run.left);
    let passage = |run: &EqualRun| SharedPassage {
        left_tokens: run.left..run.left + run.length,
        right_tokens: run.right..run.right + run.length,
        left_bytes: left[run.left].start..left[run.left + run.length - 1].end,
        right_bytes: right[run.right].start..right[run.right + run.length - 1].end,
    };
    Passages {
        passages: tiles.iter().map(passage).collect(),
        covered: tiles.iter().map(|run| run.length).sum(),
        left: left.len(),
        right: right.len(),
        capped,
    }
}

/// Equal tokens, from `left` in one text and `right` in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EqualRun {
    left: usize,
    right: usize,
    length: usize,
}

fn hashes(tokens: &[Located]) -> Vec<u64> {
    tokens.iter().map(|token| token.hash).collect()
}

/// Returns the run of all tokens if the texts are equal and not empty.
fn whole(left: &[u64], right: &[u64]) -> Vec<EqualRun> {
    if left.is_empty() || left != right { Vec::new() } else { vec![EqualRun { left: 0, right: 0, length: left.len() }] }
}
