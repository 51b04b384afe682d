//! Pairs: every two candidates that share a bucket and meet the measure.

use crate::candidates::numbered::Candidates;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::measures::Overlap;
use crate::util::control::PhaseControl;
use crate::util::ids::{BucketId, CandidateId};
use crate::{Error, Result};
use rayon::prelude::*;
use std::ops::Range;

/// Maximum number of candidates in a block, and of the pairs that it may contain.
const BLOCK: usize = 4096;
const PAIRS: usize = 1 << 18;

/// Two candidates that meet every condition. `left` comes first in policy order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The first candidate.
    pub left: CandidateId,
    /// The second candidate.
    pub right: CandidateId,
    /// The features that both share.
    pub overlap: Overlap,
}

/// Selects the pairs of candidates to score.
pub type PairFilter<'a> = dyn Fn(CandidateId, CandidateId) -> bool + Sync + 'a;

/// Scores every candidate pair that is `wanted` and whose second candidate asks ([`Candidates::asking`]), and passes the
/// pairs to `each` block by block. The members of a bucket that is capped, or has more than `max_family` members, are
/// compared with its first member only: a star.
pub fn score<E: From<Error>>(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    wanted: &PairFilter<'_>,
    max_family: usize,
    control: &dyn PhaseControl,
    each: &mut dyn FnMut(Vec<Pair>) -> Result<(), E>,
) -> Result<(), E> {
    let mut start = candidates.asking.start;
    while start < candidates.asking.end {
        control.check()?;
        let block = block(candidates, comparer, CandidateId(start), max_family);
        let found = comparer.each(&block, |&right, scratch| of_candidate(candidates, comparer, right, wanted, max_family, scratch))?;
        each(found.into_iter().flatten().collect())?;
        control.advance(block.len() as u64);
        start += block.len() as u32;
    }
    Ok(())
}

/// Returns the number of pairs that buckets propose to the candidates `rights`. A pair in several buckets counts once for
/// each. While [`score`] runs, the share that is found of the pairs proposed so far is about the share of all, so the total
/// can be estimated.
pub fn proposed(candidates: &Candidates, comparer: &Comparer<'_>, rights: Range<u32>, max_family: usize) -> u64 {
    let before =
        |right: CandidateId, bucket: BucketId| lefts(candidates, comparer, bucket, max_family).partition_point(|&left| left < right) as u64;
    let of = |right: CandidateId| candidates.buckets_of(right).iter().map(|&bucket| before(right, bucket)).sum::<u64>();
    rights.into_par_iter().map(CandidateId).map(of).sum()
}

/// Returns the buckets that are compared with their first member only although they are not capped: that member, and the
/// number of members.
pub fn starred(candidates: &Candidates, comparer: &Comparer<'_>, max_family: usize) -> impl Iterator<Item = (CandidateId, usize)> {
    let starred =
        candidates.bucket_ids().filter(move |&bucket| !comparer.is_capped(bucket) && is_star(candidates, comparer, bucket, max_family));
    starred.map(|bucket| (candidates.bucket(bucket)[0], candidates.size(bucket)))
}

fn is_star(candidates: &Candidates, comparer: &Comparer<'_>, bucket: BucketId, max_family: usize) -> bool {
    comparer.kind_of(bucket).is_star(candidates.size(bucket), max_family)
}

/// Returns the candidates from `start` on that are scored together. Their pairs are in memory at once.
fn block(candidates: &Candidates, comparer: &Comparer<'_>, start: CandidateId, max_family: usize) -> Vec<CandidateId> {
    let mut room = PAIRS;
    let lefts =
        |right: CandidateId| candidates.buckets_of(right).iter().map(|&bucket| lefts(candidates, comparer, bucket, max_family).len()).sum();
    (start.0..candidates.asking.end)
        .map(CandidateId)
        .take(BLOCK)
        .take_while(|&right| {
            let fits = right == start || room > 0;
            room = room.saturating_sub(lefts(right));
            fits
        })
        .collect()
}

/// Returns the documents with which the members of a bucket are compared.
fn lefts<'a>(candidates: &'a Candidates, comparer: &Comparer<'_>, bucket: BucketId, max_family: usize) -> &'a [CandidateId] {
    let members = candidates.bucket(bucket);
    if is_star(candidates, comparer, bucket, max_family) { &members[..1] } else { members }
}

fn of_candidate(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    right: CandidateId,
    wanted: &PairFilter<'_>,
    max_family: usize,
    scratch: &mut CompareScratch,
) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for &bucket in candidates.buckets_of(right) {
        for &left in lefts(candidates, comparer, bucket, max_family).iter().take_while(|&&left| left < right) {
            if wanted(left, right)
                && scratch.first_sight(right, left)
                && comparer.possible(right, left)
                && let Some(overlap) = comparer.compare(right, left, scratch)?
            {
                pairs.push(Pair { left, right, overlap: overlap.reversed() });
            }
        }
    }
    Ok(pairs)
}
