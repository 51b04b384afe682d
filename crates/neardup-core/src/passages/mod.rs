//! Passages: the runs of tokens that two texts share, with their places in both.
//!
//! Greedy string tiling (Wise 1993, "String Similarity via Greedy String Tiling and Running Karp-Rabin Matching"):
//! the longest common run of tokens is taken, then the longest of what is left, until none of w tokens remains.
//! Runs are found by shared shingle positions, chained by diagonal: the same difference of offsets.

mod runs;
mod tiles;

use neardup_text::Located;
use std::ops::Range;

/// A run of tokens that both texts hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPassage {
    /// The tokens of the left text, counted from 0.
    pub left_tokens: Range<usize>,
    /// The tokens of the right text; as many.
    pub right_tokens: Range<usize>,
    /// The bytes of the left text, from the first token's first to the last token's last.
    pub left_bytes: Range<usize>,
    /// The bytes of the right text.
    pub right_bytes: Range<usize>,
}

/// What two texts share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passages {
    /// The passages, ordered by their place in the left text; no two overlap, on either side.
    pub passages: Vec<SharedPassage>,
    /// Tokens that are in a passage; the same number on both sides, since a passage pairs them one to one.
    pub covered: usize,
    /// Tokens of the left text: `covered` of these are its coverage.
    pub left: usize,
    /// Tokens of the right text.
    pub right: usize,
    /// Whether places were passed over because a shingle repeats too often: what is listed is then shared, but more
    /// may be, or in longer runs.
    pub capped: bool,
}

/// The passages of at least `width` tokens that two texts share.
///
/// Texts of fewer than `width` tokens have one shingle of all of them, so they share a passage only when their token
/// sequences are equal. Of runs of one length the one that starts first in the left text is taken first, then the
/// one that starts first in the right. A `width` of 0 counts as 1.
///
/// A shingle that occurs at m places in the left text and n in the right has m * n pairs of places. Above 64, and
/// unless m or n is 1, only its first with its first, second with second, ... are followed, so that time and memory
/// grow as the texts do; [`Passages::capped`] says so. Runs are followed token by token through such shingles all
/// the same, so texts lose by it only where they repeat themselves throughout.
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

/// Equal tokens at `left..` and `right..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EqualRun {
    left: usize,
    right: usize,
    length: usize,
}

fn hashes(tokens: &[Located]) -> Vec<u64> {
    tokens.iter().map(|token| token.hash).collect()
}

/// The run of all tokens, when there are any and they are equal.
fn whole(left: &[u64], right: &[u64]) -> Vec<EqualRun> {
    if left.is_empty() || left != right { Vec::new() } else { vec![EqualRun { left: 0, right: 0, length: left.len() }] }
}
