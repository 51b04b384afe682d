//! Components: candidates that are connected by chains of pairs.

use crate::Result;
use crate::candidates::numbered::Candidates;
use crate::decide::compare::{CompareScratch, Comparer};
use crate::decide::leaders::{FirstLeaders, Follower};
use crate::util::control::PhaseControl;
use crate::util::forest::Forest;
use crate::util::ids::{BucketId, CandidateId};

const BLOCK: usize = 1024;

/// Result of the leader rule over candidates.
#[derive(Clone, Debug)]
pub struct LeaderOutcome {
    /// Whether each candidate follows another.
    pub follows: Vec<bool>,
    /// Connections known so far.
    pub forest: Forest<CandidateId>,
}

impl LeaderOutcome {
    /// Creates the result for `count` candidates, all of which were led together.
    pub fn new(count: usize, followers: &[Follower]) -> Self {
        let mut led = LeaderOutcome { follows: vec![false; count], forest: Forest::new(count) };
        for follower in followers {
            led.follows[follower.candidate.index()] = true;
            led.forest.union(follower.candidate, follower.leader);
        }
        led
    }
}

/// Connects the candidates that ask ([`Candidates::asking`]) by pairs that meet the measure.
///
/// Pairs within one component are not compared, and `led` already connects most of each component. The members of a capped
/// bucket are compared with its first leaders only ([`Comparer::most_leaders`]).
pub fn connect(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    led: LeaderOutcome,
    control: &dyn PhaseControl,
) -> Result<Forest<CandidateId>> {
    comparer.forget_sights();
    let LeaderOutcome { follows, mut forest } = led;
    let meetings = Meetings::new(candidates, comparer, &follows, &mut forest);
    let numbers: Vec<CandidateId> = candidates.asking_ids().collect();
    for block in numbers.chunks(BLOCK) {
        control.check()?;
        let edges = comparer.each(block, |&candidate, scratch| edges_of(&meetings, comparer, &forest, candidate, scratch))?;
        for (left, right) in edges.into_iter().flatten() {
            forest.union(left, right);
        }
        control.advance(block.len() as u64);
    }
    Ok(forest)
}

/// The documents with which the members of every bucket are compared. Documents that were connected beforehand are
/// adjacent.
struct Meetings<'a> {
    candidates: &'a Candidates,
    /// Root of every candidate in the forest beforehand.
    roots: Vec<CandidateId>,
    /// Members of all buckets; within a bucket they are sorted by root.
    members: Vec<CandidateId>,
    /// Documents with which the members of capped buckets are compared instead, sorted by root.
    leaders: FirstLeaders,
}

impl<'a> Meetings<'a> {
    fn new(candidates: &'a Candidates, comparer: &Comparer<'_>, follows: &[bool], forest: &mut Forest<CandidateId>) -> Self {
        let roots: Vec<CandidateId> = CandidateId::first(candidates.len()).map(|candidate| forest.find(candidate)).collect();
        let mut members = Vec::with_capacity(candidates.members());
        for bucket in candidates.bucket_ids() {
            let start = members.len();
            members.extend_from_slice(candidates.bucket(bucket));
            members[start..].sort_by_key(|&member| roots[member.index()]);
        }
        let mut leaders = FirstLeaders::new(candidates, comparer, follows);
        leaders.sort_by_key(|leader| roots[leader.index()]);
        Meetings { candidates, roots, members, leaders }
    }

    /// Returns the documents with which the members of a bucket are compared, and whether a member is compared only with
    /// those before it.
    fn of(&self, bucket: BucketId) -> (&[CandidateId], bool) {
        self.leaders.of(bucket).map_or_else(|| (&self.members[self.candidates.room(bucket)], true), |leaders| (leaders, false))
    }

    /// Returns the part of `others` after all documents that were connected beforehand with the first of `others`.
    fn behind<'o>(&self, others: &'o [CandidateId]) -> &'o [CandidateId] {
        let root = |other: &CandidateId| self.roots[other.index()];
        &others[others.partition_point(|other| root(other) <= root(&others[0]))..]
    }
}

fn edges_of(
    meetings: &Meetings<'_>,
    comparer: &Comparer<'_>,
    forest: &Forest<CandidateId>,
    candidate: CandidateId,
    scratch: &mut CompareScratch,
) -> Result<Vec<(CandidateId, CandidateId)>> {
    let mut edges: Vec<(CandidateId, CandidateId)> = Vec::new();
    let mut reached: Vec<CandidateId> = vec![forest.root(candidate)];
    for &bucket in meetings.candidates.buckets_of(candidate) {
        let (mut others, only_before) = meetings.of(bucket);
        while let [other, rest @ ..] = others {
            if only_before && meetings.roots[other.index()] > candidate {
                // No document precedes its root, so this document and all the rest come after the candidate.
                break;
            }
            let root = forest.root(*other);
            if reached.contains(&root) || (only_before && *other > candidate) {
                scratch.look();
                others = meetings.behind(others);
                continue;
            }
            others = rest;
            if scratch.first_sight(candidate, *other)
                && comparer.possible(candidate, *other)
                && comparer.compare(candidate, *other, scratch)?.is_some()
            {
                edges.push((*other, candidate));
                reached.push(root);
            }
        }
    }
    Ok(edges)
}
