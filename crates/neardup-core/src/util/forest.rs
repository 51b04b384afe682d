//! Forest: records which numbers are connected.

use crate::util::ids::Id;
use std::marker::PhantomData;

/// Disjoint trees over numbers. The smallest number of a tree is its root (Galler, Fischer 1964).
#[derive(Clone, Debug)]
pub struct Forest<I = u32> {
    parents: Vec<u32>,
    kind: PhantomData<I>,
}

impl<I: Id> Forest<I> {
    /// Creates `count` trees of one number each.
    pub fn new(count: usize) -> Self {
        Forest::hung((0..count as u32).collect())
    }

    /// Creates a forest from the parent of each number. No parent may be larger than its child.
    pub(crate) fn hung(parents: Vec<u32>) -> Self {
        Forest { parents, kind: PhantomData }
    }

    /// Returns the smallest number connected with `number`.
    pub fn find(&mut self, number: I) -> I {
        let mut number = number.number();
        while self.parents[number as usize] != number {
            // Path halving keeps the trees flat without a second walk.
            let above = self.parents[self.parents[number as usize] as usize];
            self.parents[number as usize] = above;
            number = above;
        }
        I::new(number)
    }

    /// Connects two numbers.
    pub fn union(&mut self, left: I, right: I) {
        let (left, right) = (self.find(left).number(), self.find(right).number());
        self.parents[left.max(right) as usize] = left.min(right);
    }

    /// Returns the smallest number connected with `number`, and does not shorten the path to it.
    pub fn root(&self, number: I) -> I {
        let mut number = number.number();
        while self.parents[number as usize] != number {
            number = self.parents[number as usize];
        }
        I::new(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_is_the_root() {
        let mut forest = Forest::<u32>::new(6);
        [(4, 2), (5, 4), (1, 3)].iter().for_each(|&(left, right)| forest.union(left, right));
        assert_eq!((0..6).map(|number| forest.find(number)).collect::<Vec<_>>(), [0, 1, 2, 1, 2, 2]);
    }
}
