//! Components: what pairs connect.

use crate::Result;
use crate::candidates::Candidates;
use crate::compare::{Bench, Comparer};
use crate::control::Control;
use crate::leaders::Follower;

const BLOCK: usize = 1024;

/// A forest over numbers; the smallest number of a tree is its root (Galler, Fischer 1964).
#[derive(Clone, Debug)]
pub struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    /// `count` trees of one number each.
    pub fn new(count: usize) -> Self {
        Forest { parents: (0..count as u32).collect() }
    }

    /// The smallest number connected with `number`.
    pub fn find(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            // Path halving keeps trees flat without a second walk.
            let above = self.parents[self.parents[number as usize] as usize];
            self.parents[number as usize] = above;
            number = above;
        }
        number
    }

    /// Connects two numbers.
    pub fn union(&mut self, left: u32, right: u32) {
        let (left, right) = (self.find(left), self.find(right));
        self.parents[left.max(right) as usize] = left.min(right);
    }

    /// The root of `number` without shortening the way there.
    fn root(&self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            number = self.parents[number as usize];
        }
        number
    }
}

/// Connects all candidates by pairs that meet the measure. Pairs within a component that stands already are not
/// compared: `followers`, from the leader rule, connect most of it beforehand.
pub fn connect(candidates: &Candidates, comparer: &Comparer<'_>, followers: &[Follower], control: &dyn Control) -> Result<Forest> {
    comparer.forget_sights();
    let mut forest = Forest::new(candidates.len());
    followers.iter().for_each(|follower| forest.union(follower.candidate, follower.leader));
    let numbers: Vec<u32> = (0..candidates.len() as u32).collect();
    for block in numbers.chunks(BLOCK) {
        control.check()?;
        let edges = comparer.each(block, |candidate, bench| edges_of(candidates, comparer, &forest, candidate, bench))?;
        for (left, right) in edges.into_iter().flatten() {
            forest.union(left, right);
        }
        control.advance(block.len() as u64);
    }
    Ok(forest)
}

fn edges_of(
    candidates: &Candidates,
    comparer: &Comparer<'_>,
    forest: &Forest,
    candidate: u32,
    bench: &mut Bench,
) -> Result<Vec<(u32, u32)>> {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut reached: Vec<u32> = vec![forest.root(candidate)];
    for &bucket in candidates.buckets_of(candidate) {
        for &earlier in candidates.bucket(bucket).iter().take_while(|&&earlier| earlier < candidate) {
            let root = forest.root(earlier);
            if reached.contains(&root) || !bench.first_sight(candidate, earlier) {
                continue;
            }
            if comparer.possible(candidate, earlier) && comparer.compare(candidate, earlier, bench)?.is_some() {
                edges.push((earlier, candidate));
                reached.push(root);
            }
        }
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_is_the_root() {
        let mut forest = Forest::new(6);
        [(4, 2), (5, 4), (1, 3)].iter().for_each(|&(left, right)| forest.union(left, right));
        assert_eq!((0..6).map(|number| forest.find(number)).collect::<Vec<_>>(), [0, 1, 2, 1, 2, 2]);
    }
}
