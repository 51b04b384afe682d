//! Originals: the first places of passages, and how often each stands in the corpus.

use super::passages::Passage;
use std::collections::BTreeMap;

/// A run of tokens at the first place at which it stands, and that stands again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Original {
    /// The document.
    pub document: u32,
    /// Its first token there.
    pub start: u32,
    /// How many tokens.
    pub tokens: u32,
    /// At how many places of the corpus it stands, this one included.
    pub times: u32,
}

impl Original {
    /// One past its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }
}

/// The distinct originals of `passages`, by their places, and for every passage the number of its own.
///
/// The N-grams of an original stand there for the first time. So wherever its tokens stand again, a passage is found whose
/// original is this one or contains it, and it stands as often as there are such passages, and once more.
pub fn originals(passages: &[Passage]) -> (Vec<Original>, Vec<u32>) {
    let key = |passage: &Passage| (passage.original, passage.original_start, passage.tokens);
    let mut order: Vec<u32> = (0..passages.len() as u32).collect();
    order.sort_unstable_by_key(|&at| key(&passages[at as usize]));
    let (mut originals, mut numbers) = (Vec::new(), vec![0; passages.len()]);
    for equal in order.chunk_by(|&left, &right| key(&passages[left as usize]) == key(&passages[right as usize])) {
        let (document, start, tokens) = key(&passages[equal[0] as usize]);
        equal.iter().for_each(|&at| numbers[at as usize] = originals.len() as u32);
        originals.push(Original { document, start, tokens, times: equal.len() as u32 });
    }
    originals.chunk_by_mut(|left, right| left.document == right.document).for_each(add_up);
    (originals, numbers)
}

/// Turns how many passages have each original of one document into how often it stands.
fn add_up(originals: &mut [Original]) {
    let ends: BTreeMap<u32, usize> = originals.iter().map(|original| (original.end(), 0)).collect();
    let ends: BTreeMap<u32, usize> = ends.into_keys().rev().zip(0..).collect();
    // By where they begin, the longer first: whatever contains one comes before it, and ends no earlier.
    let mut order: Vec<usize> = (0..originals.len()).collect();
    order.sort_unstable_by_key(|&at| (originals[at].start, std::cmp::Reverse(originals[at].end())));
    let mut sums = Sums(vec![0; ends.len()]);
    for at in order {
        let end = ends[&originals[at].end()];
        sums.add(end, originals[at].times);
        originals[at].times = sums.up_to(end) + 1;
    }
}

/// Sums of the first entries of a list that changes (Fenwick 1994).
struct Sums(Vec<u32>);

impl Sums {
    fn add(&mut self, mut at: usize, more: u32) {
        while let Some(sum) = self.0.get_mut(at) {
            *sum += more;
            at |= at + 1;
        }
    }

    /// The sum of entries 0 to `at`, that one included.
    fn up_to(&self, at: usize) -> u32 {
        let (mut sum, mut end) = (0, at + 1);
        while end > 0 {
            sum += self.0[end - 1];
            end &= end - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn times_are_the_passages_that_contain_it(places in proptest::collection::vec((0u32..3, 0u32..8, 1u32..6), 0..60)) {
            let passage = |(at, &(original, original_start, tokens)): (usize, &(u32, u32, u32))| {
                Passage { document: 9, start: at as u32, tokens, original, original_start }
            };
            let passages: Vec<Passage> = places.iter().enumerate().map(passage).collect();
            let (originals, numbers) = originals(&passages);
            prop_assert!(originals.is_sorted_by(|left, right| (left.document, left.start, left.tokens) < (right.document, right.start, right.tokens)));
            for (passage, &number) in passages.iter().zip(&numbers) {
                let own = originals[number as usize];
                prop_assert_eq!((own.document, own.start, own.tokens), (passage.original, passage.original_start, passage.tokens));
            }
            for own in &originals {
                let contains = |passage: &&Passage| {
                    passage.original == own.document && passage.original_start <= own.start && passage.original_end() >= own.end()
                };
                prop_assert_eq!(own.times as usize, passages.iter().filter(contains).count() + 1);
            }
        }
    }
}
