//! Maximum spanning forest: the pairs of highest resemblance that connect each cluster.
//!
//! Candidates that are connected by pairs of resemblance t or more are also connected by edges of the forest with
//! resemblance t or more. So one forest contains the clusters of every threshold.
//!
//! Pairs have a total order: by resemblance, the highest first, and among equal ones by their ends ([`PairRank`]). The last
//! pair of every cycle is not in the forest, and every other pair is (Tarjan 1983). So the forest is unique, whatever the
//! order of insertion.
//!
//! It grows pair by pair. Every candidate has its own priority and a link to another candidate. The link is to the
//! candidate that took over when, with pairs in order, the candidate's tree met one of higher priority; it stores the pair
//! that joined the two trees. Priorities are practically random, so paths to a root are about ln n links long (Seidel,
//! Aragon 1996). An inserted pair is stored on the link where it joins two trees, and the pair that was stored there moves
//! on to the tree above. A pair that joins no trees was the last of a cycle and is dropped.

use crate::measures::Overlap;
use crate::util::ids::CandidateId;
use crate::util::splitmix::SplitMix;
use std::cmp::Ordering;

/// Place of a pair in the order of all pairs. The smallest comes first.
#[derive(Clone, Copy, Debug)]
pub struct PairRank {
    /// Its resemblance, or an upper bound on it, as a part and a whole.
    pub resemblance: (u64, u64),
    /// Its ends, the smaller number first.
    pub ends: [CandidateId; 2],
}

impl PairRank {
    /// Creates the rank of two candidates, in any order, with this resemblance.
    pub fn new(resemblance: (u64, u64), one: CandidateId, other: CandidateId) -> Self {
        PairRank { resemblance, ends: [one.min(other), one.max(other)] }
    }
}

impl Ord for PairRank {
    fn cmp(&self, other: &PairRank) -> Ordering {
        let across = |left: &PairRank, right: &PairRank| u128::from(left.resemblance.0) * u128::from(right.resemblance.1);
        across(other, self).cmp(&across(self, other)).then(self.ends.cmp(&other.ends))
    }
}

impl PartialOrd for PairRank {
    fn partial_cmp(&self, other: &PairRank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PairRank {
    fn eq(&self, other: &PairRank) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for PairRank {}

/// A pair that meets the measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The candidate with the smaller number.
    pub left: CandidateId,
    /// The other candidate.
    pub right: CandidateId,
    /// The features that both share.
    pub overlap: Overlap,
}

impl Edge {
    /// Creates the pair of two candidates. `one` is the left of `overlap`.
    pub fn new(one: CandidateId, other: CandidateId, overlap: Overlap) -> Self {
        if one < other { Edge { left: one, right: other, overlap } } else { Edge { left: other, right: one, overlap: overlap.reversed() } }
    }

    /// Returns its place in the order of pairs.
    pub fn place(&self) -> PairRank {
        PairRank::new(self.overlap.fraction(), self.left, self.right)
    }
}

/// A forest over candidates that is built by inserting one pair after another.
#[derive(Clone, Debug)]
pub struct Spanning {
    links: Vec<ForestLink>,
}

/// The link from a candidate to the one above, and the pair that made it. A root links to itself.
#[derive(Clone, Copy, Debug)]
struct ForestLink {
    above: CandidateId,
    edge: Edge,
}

impl Spanning {
    /// Creates a forest of `count` candidates without connections.
    pub fn new(count: usize) -> Self {
        let edge = Edge { left: CandidateId::default(), right: CandidateId::default(), overlap: Overlap { shared: 0, left: 0, right: 0 } };
        Spanning { links: CandidateId::first(count).map(|above| ForestLink { above, edge }).collect() }
    }

    /// Returns the link of a candidate, or `None` for a root.
    fn link(&self, candidate: CandidateId) -> Option<&ForestLink> {
        let link = &self.links[candidate.index()];
        (link.above != candidate).then_some(link)
    }

    /// Returns the root of the candidate's tree, which represents all connected candidates.
    pub fn root(&self, mut candidate: CandidateId) -> CandidateId {
        while let Some(link) = self.link(candidate) {
            candidate = link.above;
        }
        candidate
    }

    /// Returns the weakest pair on the path between two candidates. `None` if they are not connected or are the same.
    pub fn weakest(&self, mut one: CandidateId, mut other: CandidateId) -> Option<&Edge> {
        let mut last: Option<&Edge> = None;
        while one != other {
            let first_is_earlier = match (self.link(one), self.link(other)) {
                (None, None) => return None,
                (Some(one), Some(other)) => one.edge.place() < other.edge.place(),
                (one, _) => one.is_some(),
            };
            let lower = if first_is_earlier { &mut one } else { &mut other };
            let link = &self.links[lower.index()];
            *lower = link.above;
            if last.is_none_or(|last| last.place() < link.edge.place()) {
                last = Some(&link.edge);
            }
        }
        last
    }

    /// Inserts a pair that meets the measure. If it closes a cycle, the last pair of the cycle is removed, which may be
    /// this one.
    pub fn insert(&mut self, edge: Edge) {
        let (mut edge, mut one, mut other) = (edge, edge.left, edge.right);
        loop {
            let place = edge.place();
            (one, other) = (self.before(one, &place), self.before(other, &place));
            if one == other {
                return;
            }
            if priority(one) > priority(other) {
                (one, other) = (other, one);
            }
            let former = self.link(one).copied();
            self.links[one.index()] = ForestLink { above: other, edge };
            let Some(link) = former else { return };
            (edge, one, other) = (link.edge, other, link.above);
        }
    }

    /// Returns the root of a candidate when only the pairs before `place` are in the forest.
    fn before(&mut self, mut candidate: CandidateId, place: &PairRank) -> CandidateId {
        while let Some(&ForestLink { above, edge }) = self.link(candidate).filter(|link| link.edge.place() < *place) {
            // The candidate above may itself have been taken over earlier in the order, by a pair that was inserted later.
            // Then the path becomes shorter.
            match self.link(above).filter(|link| link.edge.place() < edge.place()) {
                Some(link) => self.links[candidate.index()].above = link.above,
                None => candidate = above,
            }
        }
        candidate
    }

    /// Returns the pairs of the forest, in no particular order.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        CandidateId::first(self.links.len()).filter_map(|candidate| self.link(candidate)).map(|link| &link.edge)
    }
}

/// Returns a priority. No two are equal, because SplitMix maps no two states to one number.
fn priority(candidate: CandidateId) -> u64 {
    SplitMix::new(u64::from(candidate.0)).draw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::forest::Forest;
    use proptest::prelude::*;

    /// Kruskal 1956: takes the pairs in order, and keeps each that joins two trees.
    fn by_definition(count: usize, edges: &[Edge]) -> Vec<Edge> {
        let (mut edges, mut forest) = (edges.to_vec(), Forest::new(count));
        edges.sort_by_key(Edge::place);
        edges.retain(|edge| {
            let joins = forest.find(edge.left) != forest.find(edge.right);
            forest.union(edge.left, edge.right);
            joins
        });
        edges
    }

    /// Pairs of few candidates and few resemblances. Each pair has one resemblance.
    fn pairs() -> impl Strategy<Value = (usize, Vec<Edge>)> {
        (2usize..40, proptest::collection::btree_map((0u32..40, 0u32..40), (0u32..7, 6u32..8), 0..120)).prop_map(|(count, pairs)| {
            let edge = |((one, other), (shared, size)): ((u32, u32), (u32, u32))| {
                Edge::new(CandidateId(one), CandidateId(other), Overlap { shared, left: size, right: 6 })
            };
            let inside = |edge: &Edge| edge.left < edge.right && edge.right.index() < count;
            let mut edges: Vec<Edge> = pairs.into_iter().map(edge).filter(inside).collect();
            edges.sort_by_key(|edge| (edge.left, edge.right));
            edges.dedup_by_key(|edge| (edge.left, edge.right));
            (count, edges)
        })
    }

    proptest! {
        #[test]
        fn it_is_the_one_of_kruskal_in_any_order((count, edges) in pairs(), order in any::<prop::sample::Index>()) {
            let mut spanning = Spanning::new(count);
            let mut inserted: Vec<Edge> = Vec::new();
            let turned = order.index(edges.len().max(1));
            for &edge in edges[turned..].iter().chain(&edges[..turned]) {
                spanning.insert(edge);
                inserted.push(edge);
                let mut found: Vec<Edge> = spanning.edges().copied().collect();
                found.sort_by_key(Edge::place);
                prop_assert_eq!(found, by_definition(count, &inserted));
            }
            // A pair inserted twice is a cycle.
            edges.iter().for_each(|&edge| spanning.insert(edge));
            prop_assert_eq!(spanning.edges().count(), by_definition(count, &edges).len());
        }

        #[test]
        fn the_weakest_is_the_last_that_connects((count, edges) in pairs()) {
            let mut spanning = Spanning::new(count);
            edges.iter().for_each(|&edge| spanning.insert(edge));
            let kruskal = by_definition(count, &edges);
            for one in CandidateId::first(count) {
                for other in CandidateId::first(count) {
                    let mut forest = Forest::new(count);
                    let slow = kruskal.iter().find(|edge| {
                        forest.union(edge.left, edge.right);
                        one != other && forest.find(one) == forest.find(other)
                    });
                    prop_assert_eq!(spanning.weakest(one, other), slow);
                    prop_assert_eq!(spanning.root(one) == spanning.root(other), slow.is_some() || one == other);
                }
            }
        }
    }

    #[test]
    fn ways_are_short_whatever_comes() {
        let edge =
            |right: u32, shared| Edge::new(CandidateId(right - 1), CandidateId(right), Overlap { shared, left: 1 << 20, right: 1 << 20 });
        for up in [true, false] {
            let mut spanning = Spanning::new(10_000);
            (1..10_000).for_each(|right| spanning.insert(edge(right, if up { right } else { 10_000 - right })));
            let way = |mut candidate: CandidateId| {
                let mut steps = 0;
                while let Some(link) = spanning.link(candidate) {
                    (candidate, steps) = (link.above, steps + 1);
                }
                steps
            };
            let steps: usize = CandidateId::first(10_000).map(way).sum();
            assert!(steps < 10_000 * 20, "{steps}");
        }
    }
}
