//! Spanning: the maximum spanning forest of all pairs that meet the measure, found by comparing few of them.
//!
//! A pair is passed over when the candidates are connected already by pairs that all come before it in the order of
//! [`PairRank`]: then it is the last of a cycle, and not in the forest, whatever else is found. Its own place is not known before it
//! is compared, but its sketches bound its resemblance from above, and so do [`Differences`]; the place of such a bound is never
//! behind its own. So nothing of the forest is lost, equal resemblances included.
//!
//! What order candidates come in changes no outcome, only the number of comparisons: a pair is passed over the more surely the
//! better both are connected. So followers and their leaders make a first forest. Then candidates come in blocks, and
//! in the order of their numbers read backwards bit by bit: since families are together, every block has a few of
//! each. A block first meets all that came before, and when that has joined the forest each other.

use crate::Result;
use crate::candidates::numbered::Candidates;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::decide::components::LeaderOutcome;
use crate::decide::differences::Differences;
use crate::decide::leaders::{FirstLeaders, Follower};
use crate::decide::spanning_forest::{Edge, PairRank, Spanning};
use crate::util::control::PhaseControl;
use crate::util::ids::CandidateId;

/// Candidates that are connected side by side: as many as are connected before, from the least to the most.
const LEAST: usize = 16;
const MOST: usize = 1024;

/// A candidate, and those of its block that it makes pairs with.
type Peers = (CandidateId, Vec<CandidateId>);

/// Spans all candidates. Pairs are those of [`crate::decide::components::connect`]: two that share a bucket, and of a bucket above
/// the cap its members with its first leaders. `followers` are the leader rule's, and among these pairs.
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
        let meeting = ForestSearch { candidates, comparer, leaders: &leaders, differences: &differences, forest: &forest };
        let met = comparer.each(block, |&candidate, scratch| {
            let (earlier, peers) = meeting.others(candidate, rank(block[0]), scratch);
            Ok((meeting.edges(candidate, &earlier, scratch)?, (candidate, peers)))
        })?;
        let (edges, peers): (Vec<Vec<Edge>>, Vec<Peers>) = met.into_iter().unzip();
        edges.into_iter().flatten().for_each(|edge| forest.insert(edge));
        let meeting = ForestSearch { candidates, comparer, leaders: &leaders, differences: &differences, forest: &forest };
        let edges = comparer.each(&peers, |(candidate, peers), scratch| meeting.edges(*candidate, peers, scratch))?;
        edges.into_iter().flatten().for_each(|edge| forest.insert(edge));
        control.advance(block.len() as u64);
        start += block.len();
    }
    Ok(forest)
}

/// When the turn of a candidate comes.
fn rank(candidate: CandidateId) -> u32 {
    candidate.0.reverse_bits()
}

/// Numbers below `count` by rank.
fn order(count: u32) -> Vec<CandidateId> {
    let bits = u32::BITS - count.leading_zeros();
    let reversed = |place: u64| ((place as u32) << (u32::BITS - bits.max(1))).reverse_bits();
    (0..1u64 << bits).map(reversed).filter(|&number| number < count).map(CandidateId).collect()
}

/// Candidates, and what connects them so far.
struct ForestSearch<'a> {
    candidates: &'a Candidates,
    comparer: &'a Comparer<'a>,
    leaders: &'a FirstLeaders,
    differences: &'a Differences,
    forest: &'a Spanning,
}

impl ForestSearch<'_> {
    /// The candidates with which one makes pairs: those before the rank `start`, and those behind it. Two whose turns come one
    /// after the other make a pair in the turn of the second, a leader by a capped key in that of the member.
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

    /// The pairs of a candidate with `others` that may be in the forest.
    fn edges(&self, candidate: CandidateId, others: &[CandidateId], scratch: &mut CompareScratch) -> Result<Vec<Edge>> {
        let mut hopeful: Vec<(PairRank, CandidateId)> =
            others.iter().filter_map(|&other| self.bound(candidate, other).map(|bound| (bound, other))).collect();
        // The likeliest first, so that the others have to beat them.
        hopeful.sort_unstable();
        let mut edges = Vec::new();
        // The first of all pairs into each tree, by the tree's root.
        let mut doors: Vec<(CandidateId, Edge)> = Vec::new();
        for (bound, other) in hopeful {
            let root = self.forest.root(other);
            let door = doors.iter_mut().find(|door| door.0 == root).map(|door| &mut door.1);
            if door.as_ref().is_some_and(|door| self.weakest_through(door, candidate, other) <= bound) {
                continue;
            }
            let overlap = self.comparer.compare(candidate, other, scratch)?;
            // Later candidates may be compared with it.
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

    /// Before which place the pair of two candidates cannot be; None when it is not in the forest, or known to be.
    fn bound(&self, one: CandidateId, other: CandidateId) -> Option<PairRank> {
        let weakest = self.forest.weakest(one, other).map(Edge::place);
        let beats = |bound: &PairRank| weakest.is_none_or(|weakest| *bound < weakest && bound.ends != weakest.ends);
        let by_sketches = Some(PairRank::new(self.comparer.ceiling(one, other), one, other)).filter(beats)?;
        match self.differences.ceiling(one, other) {
            None => Some(by_sketches),
            Some(ceiling) => Some(PairRank::new(ceiling, one, other).max(by_sketches)).filter(beats),
        }
    }

    /// The weakest pair on the way from `candidate` through `door` to `other`, which is in the same tree.
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
