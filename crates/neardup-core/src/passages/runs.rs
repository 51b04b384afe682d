//! Maximal runs of equal tokens.

use super::EqualRun;

/// Above this number of pairs of places, a repeated shingle is paired at equal ranks only.
const MOST_PAIRS: usize = 64;

/// An odd multiplier with well-mixed bits: the golden ratio in 64 bits.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns all maximal runs of at least `width` tokens that contain a paired place, and whether pairs were skipped.
/// Both texts must have at least `width` tokens.
pub(super) fn find(left: &[u64], right: &[u64], width: usize) -> (Vec<EqualRun>, bool) {
    let (mut places, capped) = pair(&shingles(left, width), &shingles(right, width));
    // Sorted by diagonal, then by place, so that one sweep follows each run once.
    places.sort_unstable_by_key(|&(l, r)| (r.wrapping_sub(l), l));
    let mut runs: Vec<EqualRun> = Vec::new();
    for (l, r) in places {
        let known = runs.last().is_some_and(|run| r.wrapping_sub(l) == run.right.wrapping_sub(run.left) && l < run.left + run.length);
        if !known {
            runs.extend(Some(follow(left, right, l, r)).filter(|run| run.length >= width));
        }
    }
    (runs, capped)
}

/// Returns the maximal run through a pair of places; it is empty if their tokens differ.
fn follow(left: &[u64], right: &[u64], l: usize, r: usize) -> EqualRun {
    let back = left[..l].iter().rev().zip(right[..r].iter().rev()).take_while(|(a, b)| a == b).count();
    let ahead = left[l..].iter().zip(&right[r..]).take_while(|(a, b)| a == b).count();
    let length = if ahead == 0 { 0 } else { back + ahead };
    EqualRun { left: l - back, right: r - back, length }
}

/// Returns the shingles of a text with their places, sorted by shingle, then by place.
///
/// The name of a shingle is a rolling polynomial of its tokens. Two shingles with the same name cost time, but cause no
/// errors: runs are followed token by token.
fn shingles(tokens: &[u64], width: usize) -> Vec<(u64, usize)> {
    let highest = (1..width).fold(1u64, |power, _| power.wrapping_mul(MULTIPLIER));
    let mut name = tokens[..width - 1].iter().fold(0u64, |name, &token| name.wrapping_mul(MULTIPLIER).wrapping_add(token));
    let mut shingles = Vec::with_capacity(tokens.len() + 1 - width);
    for place in 0..=tokens.len() - width {
        name = name.wrapping_mul(MULTIPLIER).wrapping_add(tokens[place + width - 1]);
        shingles.push((name, place));
        name = name.wrapping_sub(tokens[place].wrapping_mul(highest));
    }
    shingles.sort_unstable();
    shingles
}

/// Returns the pairs of places with the same shingle, and whether pairs were skipped.
fn pair(mut left: &[(u64, usize)], mut right: &[(u64, usize)]) -> (Vec<(usize, usize)>, bool) {
    let mut pairs = Vec::new();
    let mut capped = false;
    while let (Some(&(a, _)), Some(&(b, _))) = (left.first(), right.first()) {
        let (ls, rs) = (group(left), group(right));
        if a == b && (ls.len() * rs.len() <= MOST_PAIRS || ls.len() == 1 || rs.len() == 1) {
            pairs.extend(ls.iter().flat_map(|&(_, l)| rs.iter().map(move |&(_, r)| (l, r))));
        } else if a == b {
            capped = true;
            pairs.extend(ls.iter().zip(rs).map(|(&(_, l), &(_, r))| (l, r)));
        }
        if a <= b {
            left = &left[ls.len()..];
        }
        if b <= a {
            right = &right[rs.len()..];
        }
    }
    (pairs, capped)
}

/// Returns the places of the first shingle.
fn group(shingles: &[(u64, usize)]) -> &[(u64, usize)] {
    let name = shingles[0].0;
    &shingles[..shingles.iter().take_while(|shingle| shingle.0 == name).count()]
}
