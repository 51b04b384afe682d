//! The maximum spanning forest of the pairs: of all that joins a cluster, what joins it at the highest resemblance.
//!
//! Candidates that are connected by pairs of a resemblance of at least t are connected by edges of the forest that have it, too. So one
//! forest holds the clusters of every threshold.
//!
//! Pairs are in one order, by resemblance, the highest first, and among equal ones by their ends ([`PairRank`]). Of every
//! cycle of pairs the last is not in the forest, and every other pair is (Tarjan 1983): so there is one forest only,
//! whatever order pairs come in. It grows pair by pair. Every candidate has a priority of its own and a link to the candidate that
//! took over when, pairs being in order, its tree met one of a higher priority; the pair that did it is on the link.
//! Priorities are as good as random, so ways up are about ln n links long (Seidel, Aragon 1996). A pair that comes in puts
//! itself on the link where it joins two trees, and hands the pair that was there on to the tree above; one that joins
//! nothing any more was the last of a cycle, and is gone.

use crate::measures::Overlap;
use crate::util::ids::CandidateId;
use crate::util::splitmix::SplitMix;
use std::cmp::Ordering;

/// Where a pair is in the order of all pairs; the smallest place comes first.
#[derive(Clone, Copy, Debug)]
pub struct PairRank {
    /// Its resemblance, or what that cannot exceed: a part of a whole.
    pub resemblance: (u64, u64),
    /// Its ends, the smaller number first.
    pub ends: [CandidateId; 2],
}

impl PairRank {
    /// The place of two candidates, in any order, of this resemblance.
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
    /// The other.
    pub right: CandidateId,
    /// What they share.
    pub overlap: Overlap,
}

impl Edge {
    /// The pair of two candidates, of which `one` is the left of `overlap`.
    pub fn new(one: CandidateId, other: CandidateId, overlap: Overlap) -> Self {
        if one < other { Edge { left: one, right: other, overlap } } else { Edge { left: other, right: one, overlap: overlap.reversed() } }
    }

    /// Where it is in the order of pairs.
    pub fn place(&self) -> PairRank {
        PairRank::new(self.overlap.fraction(), self.left, self.right)
    }
}

/// A forest over candidates that takes one pair after another.
#[derive(Clone, Debug)]
pub struct Spanning {
    links: Vec<ForestLink>,
}

/// The way up from a candidate, and the pair that opened it; of a root to itself.
#[derive(Clone, Copy, Debug)]
struct ForestLink {
    above: CandidateId,
    edge: Edge,
}

impl Spanning {
    /// `count` candidates that nothing connects.
    pub fn new(count: usize) -> Self {
        let edge = Edge { left: CandidateId::default(), right: CandidateId::default(), overlap: Overlap { shared: 0, left: 0, right: 0 } };
        Spanning { links: CandidateId::first(count).map(|above| ForestLink { above, edge }).collect() }
    }

    /// The link of a candidate; None of a root.
    fn link(&self, candidate: CandidateId) -> Option<&ForestLink> {
        let link = &self.links[candidate.index()];
        (link.above != candidate).then_some(link)
    }

    /// The candidate that represents all it is connected with.
    pub fn root(&self, mut candidate: CandidateId) -> CandidateId {
        while let Some(link) = self.link(candidate) {
            candidate = link.above;
        }
        candidate
    }

    /// The weakest pair on the way between two candidates; None when nothing connects them, or they are one.
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

    /// Takes a pair that meets the measure: it stays unless it is the last of a cycle, and if so, another goes.
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

    /// Which candidate represents another when only the pairs before `place` have come.
    fn before(&mut self, mut candidate: CandidateId, place: &PairRank) -> CandidateId {
        while let Some(&ForestLink { above, edge }) = self.link(candidate).filter(|link| link.edge.place() < *place) {
            // The candidate that took over may have been taken over earlier by a pair that came in later: the way gets shorter.
            match self.link(above).filter(|link| link.edge.place() < edge.place()) {
                Some(link) => self.links[candidate.index()].above = link.above,
                None => candidate = above,
            }
        }
        candidate
    }

    /// The pairs of the forest, by no order.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        CandidateId::first(self.links.len()).filter_map(|candidate| self.link(candidate)).map(|link| &link.edge)
    }
}

/// No two are equal: SplitMix takes no two states to one number.
fn priority(candidate: CandidateId) -> u64 {
    SplitMix::new(u64::from(candidate.0)).draw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::forest::Forest;
    use proptest::prelude::*;

    /// Kruskal 1956: pair after pair in order, whatever joins two trees.
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

    /// Pairs of few candidates and few resemblances, each pair with one of them.
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
            // A pair twice is a cycle.
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
