//! A forest in which several threads connect numbers at once.

use crate::util::forest::Forest;
use crate::util::ids::Id;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Trees over numbers, without locks (Anderson, Woll 1991). As in a [`Forest`], the smallest number of a tree is its root.
#[derive(Debug)]
pub struct SharedForest {
    parents: Vec<AtomicU32>,
}

impl SharedForest {
    /// Creates `count` trees of one number each.
    pub fn new(count: usize) -> Self {
        SharedForest { parents: (0..count as u32).into_par_iter().map(AtomicU32::new).collect() }
    }

    fn parent(&self, number: u32) -> u32 {
        self.parents[number as usize].load(Ordering::Relaxed)
    }

    /// Returns an ancestor of `number` that was a root when it was read.
    fn find(&self, mut number: u32) -> u32 {
        loop {
            let above = self.parent(number);
            let higher = self.parent(above);
            if above == higher {
                return above;
            }
            // Another thread may write here meanwhile; its value is an ancestor of `number`, too.
            self.parents[number as usize].store(higher, Ordering::Relaxed);
            number = higher;
        }
    }

    /// Connects two numbers.
    pub fn union(&self, mut left: u32, mut right: u32) {
        loop {
            (left, right) = (self.find(left), self.find(right));
            let (root, leaf) = (left.min(right), left.max(right));
            // Only a root may become a child. If another thread was faster, both roots are searched again.
            let hung = || self.parents[leaf as usize].compare_exchange(leaf, root, Ordering::Relaxed, Ordering::Relaxed);
            if left == right || hung().is_ok() {
                return;
            }
        }
    }
}

impl<I: Id> From<SharedForest> for Forest<I> {
    /// Converts the trees. Every number becomes a child of its root.
    fn from(forest: SharedForest) -> Forest<I> {
        let hang = |number: u32| forest.parents[number as usize].store(forest.find(number), Ordering::Relaxed);
        (0..forest.parents.len() as u32).into_par_iter().for_each(hang);
        Forest::hung(forest.parents.into_iter().map(AtomicU32::into_inner).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_connect_what_one_does() {
        let mut random = crate::util::splitmix::SplitMix::new(5);
        let pairs: Vec<(u32, u32)> = (0..40_000).map(|_| ((random.draw() % 50_000) as u32, (random.draw() % 50_000) as u32)).collect();
        let (shared, mut expected) = (SharedForest::new(50_000), Forest::new(50_000));
        pairs.par_iter().for_each(|&(left, right)| shared.union(left, right));
        pairs.iter().for_each(|&(left, right)| expected.union(left, right));
        let mut forest = Forest::from(shared);
        assert!((0..50_000).all(|number| forest.find(number) == expected.find(number)));
    }
}
