//! Selection among runs: the longest first, without overlaps.

use super::EqualRun;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Returns the runs that tile both texts. Each has at least `width` tokens, and is the longest one left when it is taken.
pub(super) fn choose(runs: Vec<EqualRun>, left: usize, right: usize, width: usize) -> Vec<EqualRun> {
    let mut taken = Vec::new();
    let (mut left_taken, mut right_taken) = (vec![false; left], vec![false; right]);
    let mut heap: BinaryHeap<EqualRun> = runs.into();
    while let Some(run) = heap.pop() {
        let free = |at: usize| !left_taken[run.left + at] && !right_taken[run.right + at];
        let pieces = pieces(run, free);
        if pieces == [run] {
            left_taken[run.left..run.left + run.length].fill(true);
            right_taken[run.right..run.right + run.length].fill(true);
            taken.push(run);
        } else {
            // The free parts of the run are queued again with their own lengths.
            heap.extend(pieces.into_iter().filter(|piece| piece.length >= width));
        }
    }
    taken
}

/// Returns the parts of `run` whose tokens are all free.
fn pieces(run: EqualRun, free: impl Fn(usize) -> bool) -> Vec<EqualRun> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < run.length {
        let length = (at..run.length).take_while(|&at| free(at)).count();
        if length > 0 {
            pieces.push(EqualRun { left: run.left + at, right: run.right + at, length });
        }
        at += length + 1;
    }
    pieces
}

impl Ord for EqualRun {
    /// A longer run is greater; of equal lengths, the one that starts first in the left text, then in the right text.
    fn cmp(&self, other: &EqualRun) -> Ordering {
        let key = |run: &EqualRun| (run.length, Reverse(run.left), Reverse(run.right));
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for EqualRun {
    fn partial_cmp(&self, other: &EqualRun) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
