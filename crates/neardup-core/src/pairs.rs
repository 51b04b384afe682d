//! Pairs: every two candidates that share a bucket and meet the measure.

use crate::Result;
use crate::candidates::Candidates;
use crate::compare::{Bench, Comparer};
use crate::control::Control;
use crate::measures::Overlap;

const BLOCK: usize = 4096;

/// Two candidates that meet every condition; `left` comes first in policy order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The first candidate.
    pub left: u32,
    /// The second candidate.
    pub right: u32,
    /// What they share.
    pub overlap: Overlap,
}

/// Which pairs of candidates are asked for.
pub type Wanted<'a> = dyn Fn(u32, u32) -> bool + Sync + 'a;

/// Scores every candidate pair that is `wanted`. Buckets of more than `max_family` candidates are compared with their
/// first member only. Returns the pairs in ascending order.
pub fn score(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    wanted: &Wanted<'_>,
    max_family: usize,
    control: &dyn Control,
) -> Result<Vec<Pair>> {
    let rights: Vec<u32> = (0..candidates.len() as u32).collect();
    let mut pairs = Vec::new();
    for block in rights.chunks(BLOCK) {
        control.check()?;
        let found = comparer.each(block, |right, bench| of_candidate(candidates, comparer, right, wanted, max_family, bench))?;
        pairs.extend(found.into_iter().flatten());
        control.advance(block.len() as u64);
    }
    pairs.sort_unstable();
    Ok(pairs)
}

fn of_candidate(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    right: u32,
    wanted: &Wanted<'_>,
    max_family: usize,
    bench: &mut Bench,
) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for &bucket in candidates.buckets_of(right) {
        let members = candidates.bucket(bucket);
        let members = if members.len() > max_family { &members[..1] } else { members };
        for &left in members.iter().take_while(|&&left| left < right) {
            if wanted(left, right)
                && bench.first_sight(right, left)
                && comparer.possible(right, left)
                && let Some(overlap) = comparer.compare(right, left, bench)?
            {
                pairs.push(Pair { left, right, overlap: overlap.reversed() });
            }
        }
    }
    Ok(pairs)
}
