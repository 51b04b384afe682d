//! Anchors: a few short runs of tokens of a text, selected so that equal N-grams have one in common.
//!
//! Winnowing (Schleimer, Wilkerson, Aiken 2003): an N-gram contains W = N - k + 1 runs of k tokens. Its anchor is the
//! run with the smallest fingerprint, the first of several. The selection depends on the N-gram alone, so the anchor is
//! always at the same distance from its start. So equal N-grams select equal anchors, and N-grams at two places select
//! two of them, even if they overlap. In random text about 2 in W + 1 runs are selected.

use super::grams;
use super::grams::{GramLane, mix};

/// Selects the anchors of texts; each thread needs its own.
#[derive(Clone, Debug)]
pub struct Anchors {
    lane: [GramLane; 1],
    /// Number of runs in an N-gram.
    window: usize,
    runs: [Vec<u64>; 1],
}

impl Anchors {
    /// Creates a selector for N-grams of `tokens` tokens, at least 1. A run has half as many tokens, rounded up.
    pub fn new(tokens: usize) -> Self {
        let width = tokens.div_ceil(2).max(1);
        Anchors { lane: [GramLane::new(0, width)], window: tokens.max(1) - width + 1, runs: [Vec::new()] }
    }

    /// Calls `each` for every N-gram of a text, with the index of its first token, the number of its anchor in the
    /// text, and the fingerprint of the anchor. The numbers are ascending; consecutive N-grams may share an anchor.
    pub fn each(&mut self, tokens: &[u64], mut each: impl FnMut(usize, usize, u64)) {
        grams::each(&self.lane, tokens, &mut self.runs);
        let [runs] = &mut self.runs;
        // Polynomials are nearly in the order of their last token. Mixed, they are in an order that behaves as random.
        runs.iter_mut().for_each(|run| *run = mix(*run));
        let (runs, window) = (&runs[..], self.window);
        let smallest = |begin: usize| begin + (0..window).min_by_key(|&at| runs[begin + at]).unwrap_or(0);
        let Some(last) = runs.len().checked_sub(window) else { return };
        let (mut number, mut at) = (0, smallest(0));
        for begin in 0..=last {
            let before = at;
            let newest = begin + window - 1;
            if at < begin {
                at = smallest(begin);
            } else if runs[newest] < runs[at] {
                at = newest;
            }
            number += usize::from(at != before);
            each(begin, number, runs[at]);
        }
    }

    /// Appends the anchors of a text to `out`, each once.
    pub fn choose(&mut self, tokens: &[u64], out: &mut Vec<u64>) {
        let mut chosen = 0;
        self.each(tokens, |_, number, anchor| {
            if number == chosen {
                out.push(anchor);
                chosen += 1;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_n_grams_have_equal_anchors_of_their_own(tokens in proptest::collection::vec(0u64..3, 0..120), n in 1usize..12) {
            let mut anchors = Anchors::new(n);
            let mut found = Vec::new();
            anchors.each(&tokens, |begin, number, anchor| found.push((begin, number, anchor)));
            prop_assert_eq!(found.len(), (tokens.len() + 1).saturating_sub(n));
            for (place, &(begin, number, anchor)) in found.iter().enumerate() {
                prop_assert_eq!(begin, place);
                for &(other, other_number, other_anchor) in &found[..place] {
                    if tokens[begin..begin + n] == tokens[other..other + n] {
                        prop_assert_eq!(anchor, other_anchor);
                        prop_assert_ne!(number, other_number);
                    }
                }
            }
            let mut chosen = Vec::new();
            anchors.choose(&tokens, &mut chosen);
            prop_assert_eq!(chosen.len(), found.last().map_or(0, |last| last.1 + 1));
            prop_assert!(found.iter().all(|&(_, number, anchor)| chosen[number] == anchor));
        }
    }

    #[test]
    fn few_are_chosen() {
        let mut stream = crate::util::splitmix::SplitMix::new(1);
        let tokens: Vec<u64> = (0..100_000).map(|_| stream.draw()).collect();
        for n in [20, 50, 101] {
            let mut chosen = Vec::new();
            Anchors::new(n).choose(&tokens, &mut chosen);
            let window = n - n.div_ceil(2) + 1;
            let expected = 2 * tokens.len() / (window + 1);
            assert!(chosen.len() > expected * 9 / 10 && chosen.len() < expected * 11 / 10, "{n}: {} of {expected}", chosen.len());
        }
    }
}
