//! A forest over numbers, which says what is connected.

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

    /// The trees that `parents` say; no parent is larger than its child.
    pub(crate) fn hung(parents: Vec<u32>) -> Self {
        Forest { parents }
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

    /// The smallest number connected with `number`, without shortening the way there.
    pub fn root(&self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            number = self.parents[number as usize];
        }
        number
    }
}
