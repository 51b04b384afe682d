//! Forest search: finds the maximum spanning forest of all pairs that meet the measure, with few comparisons.
//!
//! A pair is skipped if its candidates are already connected by pairs that all precede it in the order of [`PairRank`].
//! Then it is the last of a cycle and not in the forest, whatever else is found. Its own rank is not known before it is
//! compared, but its sketches bound its resemblance from above, and so do [`Differences`]. A pair ranks at or after the
//! rank of such a bound. So no pair of the forest is lost, even among equal resemblances.
//!
//! The order in which candidates are taken does not change the result, only the number of comparisons: the better two
//! candidates are connected, the more likely their pair is skipped. So followers and their leaders make a first forest.
//! Then candidates are taken in blocks, in the order of their bit-reversed numbers. Families are adjacent, so every block
//! has a few members of each. A block is first compared with all candidates before it. After these pairs have joined the
//! forest, its candidates are compared with each other.

use crate::Result;
use crate::candidates::numbered::Candidates;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::decide::components::LeaderOutcome;
use crate::decide::differences::Differences;
use crate::decide::leaders::{FirstLeaders, Follower};
use crate::decide::spanning_forest::{Edge, PairRank, Spanning};
use crate::util::control::PhaseControl;
use crate::util::ids::CandidateId;

/// Minimum and maximum number of candidates in a block. In between, a block has as many as were taken before it.
const LEAST: usize = 16;
const MOST: usize = 1024;

/// A candidate, and the candidates of its block with which it makes pairs.
type Peers = (CandidateId, Vec<CandidateId>);

/// Returns the spanning forest of all candidates. The pairs are those of [`crate::decide::components::connect`]: two
/// candidates that share a bucket or, in a capped bucket, a member and one of its first leaders. `followers` come from the
/// leader rule and are among these pairs.
pub fn span(candidates: &Candidates, comparer: &Comparer<'_>, followers: &[Follower], control: &dyn PhaseControl) -> Result<Spanning> {
    comparer.forget_sights();
    let mut forest = Spanning::new(candidates.len());
    followers.iter().for_each(|follower| forest.insert(Edge::new(follower.candidate, follower.leader, follower.overlap)));
    let leaders = FirstLeaders::new(candidates, comparer, &LeaderOutcome::new(candidates.len(), followers).follows);
    let differences = Differences::new(candidates.len(), comparer, followers)?;
    let order = order(candidates.len() as u32);
    let mut start = 0;
    while start < order.len() {
        control.check()?;
        let block = &order[start..(start + start.clamp(LEAST, MOST)).min(order.len())];
        let search = ForestSearch { candidates, comparer, leaders: &leaders, differences: &differences, forest: &forest };
        let outcomes = comparer.each(block, |&candidate, scratch| {
            let (earlier, peers) = search.others(candidate, rank(block[0]), scratch);
            Ok((search.edges(candidate, &earlier, scratch)?, (candidate, peers)))
        })?;
        let (edges, peers): (Vec<Vec<Edge>>, Vec<Peers>) = outcomes.into_iter().unzip();
        edges.into_iter().flatten().for_each(|edge| forest.insert(edge));
        let search = ForestSearch { candidates, comparer, leaders: &leaders, differences: &differences, forest: &forest };
        let edges = comparer.each(&peers, |(candidate, peers), scratch| search.edges(*candidate, peers, scratch))?;
        edges.into_iter().flatten().for_each(|edge| forest.insert(edge));
        control.advance(block.len() as u64);
        start += block.len();
    }
    Ok(forest)
}

/// Returns the place of a candidate's turn.
fn rank(candidate: CandidateId) -> u32 {
    candidate.0.reverse_bits()
}

/// Returns the numbers below `count`, ordered by rank.
fn order(count: u32) -> Vec<CandidateId> {
    let bits = u32::BITS - count.leading_zeros();
    let reversed = |place: u64| ((place as u32) << (u32::BITS - bits.max(1))).reverse_bits();
    (0..1u64 << bits).map(reversed).filter(|&number| number < count).map(CandidateId).collect()
}

/// The candidates, and their connections so far.
struct ForestSearch<'a> {
    candidates: &'a Candidates,
    comparer: &'a Comparer<'a>,
    leaders: &'a FirstLeaders,
    differences: &'a Differences,
    forest: &'a Spanning,
}

impl ForestSearch<'_> {
    /// Returns the candidates with which `candidate` makes pairs: those before the rank `start`, and the others. A pair is
    /// made in the turn of its second candidate; a pair with a leader of a capped key, in the turn of the member.
    fn others(&self, candidate: CandidateId, start: u32, scratch: &mut CompareScratch) -> (Vec<CandidateId>, Vec<CandidateId>) {
        let (mut earlier, mut peers) = (Vec::new(), Vec::new());
        for &bucket in self.candidates.buckets_of(candidate) {
            let leaders = self.leaders.of(bucket);
            for &other in leaders.unwrap_or_else(|| self.candidates.bucket(bucket)) {
                let is_due = leaders.is_some() || rank(other) < rank(candidate);
                if is_due && other != candidate && scratch.first_sight(candidate, other) && self.comparer.possible(candidate, other) {
                    if leaders.is_some() || rank(other) < start { &mut earlier } else { &mut peers }.push(other);
                }
            }
        }
        (earlier, peers)
    }

    /// Returns the pairs of a candidate with `others` that may be in the forest.
    fn edges(&self, candidate: CandidateId, others: &[CandidateId], scratch: &mut CompareScratch) -> Result<Vec<Edge>> {
        let mut hopeful: Vec<(PairRank, CandidateId)> =
            others.iter().filter_map(|&other| self.bound(candidate, other).map(|bound| (bound, other))).collect();
        // The most promising pairs first, so that the others have to beat them.
        hopeful.sort_unstable();
        let mut edges = Vec::new();
        // The first pair, in pair order, into each tree, with the root of the tree.
        let mut doors: Vec<(CandidateId, Edge)> = Vec::new();
        for (bound, other) in hopeful {
            let root = self.forest.root(other);
            let door = doors.iter_mut().find(|door| door.0 == root).map(|door| &mut door.1);
            if door.as_ref().is_some_and(|door| self.weakest_through(door, candidate, other) <= bound) {
                continue;
            }
            let overlap = self.comparer.compare(candidate, other, scratch)?;
            // Later candidates may be compared with this one.
            self.comparer.keep(candidate, scratch);
            if let Some(overlap) = overlap {
                let edge = Edge::new(candidate, other, overlap);
                edges.push(edge);
                match door {
                    Some(door) if door.place() < edge.place() => {}
                    Some(door) => *door = edge,
                    None => doors.push((root, edge)),
                }
            }
        }
        Ok(edges)
    }

    /// Returns a lower bound on the rank of a pair, or `None` if the pair is not in the forest or is already known to be in
    /// it.
    fn bound(&self, one: CandidateId, other: CandidateId) -> Option<PairRank> {
        let weakest = self.forest.weakest(one, other).map(Edge::place);
        let beats = |bound: &PairRank| weakest.is_none_or(|weakest| *bound < weakest && bound.ends != weakest.ends);
        let by_sketches = Some(PairRank::new(self.comparer.ceiling(one, other), one, other)).filter(beats)?;
        match self.differences.ceiling(one, other) {
            None => Some(by_sketches),
            Some(ceiling) => Some(PairRank::new(ceiling, one, other).max(by_sketches)).filter(beats),
        }
    }

    /// Returns the weakest pair on the path from `candidate` through `door` to `other`, which is in the same tree.
    fn weakest_through(&self, door: &Edge, candidate: CandidateId, other: CandidateId) -> PairRank {
        let behind = if door.left == candidate { door.right } else { door.left };
        self.forest.weakest(behind, other).map_or(door.place(), |weakest| weakest.place().max(door.place()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_turn() {
        for count in [0, 1, 2, 3, 4, 5, 8, 100, 1023, 1024, 1025] {
            let mut slow: Vec<CandidateId> = CandidateId::first(count as usize).collect();
            slow.sort_by_key(|&candidate| rank(candidate));
            assert_eq!(order(count), slow);
        }
    }
}
