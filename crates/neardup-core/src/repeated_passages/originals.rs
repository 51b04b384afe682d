//! Originals: the first places of passages, with the number of occurrences of each in the corpus.

use super::passages::LaterPassage;
use crate::Result;
use crate::util::external_sort::Sorter;
use crate::util::ids::DocId;
use crate::util::store::{List, ListBuilder, Store};
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A run of tokens at its first place, which occurs again later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Original {
    /// The document.
    pub document: DocId,
    /// Index of its first token in the document.
    pub start: u32,
    /// Number of tokens.
    pub tokens: u32,
    /// Number of places in the corpus at which it occurs, including this one.
    pub times: u32,
}

impl Original {
    /// Returns the index after its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }
}

/// The distinct originals of some passages.
#[derive(Serialize, Deserialize)]
pub struct Originals {
    /// The originals, ordered by place.
    pub all: List<Original>,
    /// Pairs of the number of an original and the number of one of its passages, ascending.
    pub passages: List<[u32; 2]>,
}

impl Originals {
    /// Finds the originals of fewer than 2^32 `passages`. Uses about `memory` bytes, and in addition the originals of
    /// one document.
    ///
    /// The N-grams of an original occur there for the first time. So wherever its tokens occur again, there is a
    /// passage whose original is this one or contains it. The number of occurrences is the number of such passages,
    /// plus one.
    pub fn of(passages: &List<LaterPassage>, store: &Store, memory: usize) -> Result<Originals> {
        let key = |&[document, start, tokens, passage]: &[u32; 4]| (document, start, tokens, passage);
        let mut sorter = Sorter::new(store, key, memory);
        for (number, passage) in (0..).zip(passages.values(store)) {
            let passage = passage?;
            sorter.push([passage.original.0, passage.original_start, passage.tokens, number])?;
        }
        let (mut all, mut numbers) = (ListBuilder::new(store), ListBuilder::new(store));
        // The originals of one document, and the number of originals before it.
        let (mut here, mut before): (Vec<Original>, u32) = (Vec::new(), 0);
        for entry in sorter.finish()?.values(store) {
            let [document, start, tokens, passage] = entry?;
            if here.last().is_some_and(|last| last.document.0 != document) {
                before += here.len() as u32;
                all.extend(add_up(&mut here))?;
            }
            match here.last_mut() {
                Some(last) if (last.start, last.tokens) == (start, tokens) => last.times += 1,
                _ => here.push(Original { document: DocId(document), start, tokens, times: 1 }),
            }
            numbers.push([before + here.len() as u32 - 1, passage])?;
        }
        all.extend(add_up(&mut here))?;
        Ok(Originals { all: all.finish()?, passages: numbers.finish()? })
    }
}

/// Returns the originals of one document, with their numbers of passages replaced by their numbers of occurrences.
/// Empties the list.
fn add_up(originals: &mut Vec<Original>) -> impl Iterator<Item = Original> {
    let ends: BTreeMap<u32, usize> = originals.iter().map(|original| (original.end(), 0)).collect();
    let ends: BTreeMap<u32, usize> = ends.into_keys().rev().zip(0..).collect();
    // By start, the longer first: every original that contains another one precedes it and does not end earlier.
    let mut order: Vec<usize> = (0..originals.len()).collect();
    order.sort_unstable_by_key(|&at| (originals[at].start, std::cmp::Reverse(originals[at].end())));
    let mut sums = FenwickTree(vec![0; ends.len()]);
    for at in order {
        let end = ends[&originals[at].end()];
        sums.add(end, originals[at].times);
        originals[at].times = sums.up_to(end) + 1;
    }
    originals.drain(..)
}

/// Prefix sums of a list that changes (Fenwick 1994).
struct FenwickTree(Vec<u32>);

impl FenwickTree {
    fn add(&mut self, mut at: usize, more: u32) {
        while let Some(sum) = self.0.get_mut(at) {
            *sum += more;
            at |= at + 1;
        }
    }

    /// Returns the sum of entries 0 to `at`, both included.
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
        fn times_are_the_passages_that_contain_it(
            places in proptest::collection::vec((0u32..3, 0u32..8, 1u32..6), 0..60),
            memory in 0usize..2000,
        ) {
            let passage = |(at, &(original, original_start, tokens)): (usize, &(u32, u32, u32))| {
                LaterPassage { document: DocId(9), start: at as u32, tokens, original: DocId(original), original_start }
            };
            let passages: Vec<LaterPassage> = places.iter().enumerate().map(passage).collect();
            let store = Store::new(tempfile::tempfile().unwrap(), 0);
            let mut list = List::default();
            passages.chunks(7).for_each(|some| list.append(&store, some).unwrap());
            let found = Originals::of(&list, &store, memory).unwrap();
            let (originals, numbers) = (found.all.all(&store).unwrap(), found.passages.all(&store).unwrap());
            prop_assert!(originals.is_sorted_by(|left, right| (left.document, left.start, left.tokens) < (right.document, right.start, right.tokens)));
            prop_assert!(numbers.is_sorted());
            let mut of_all: Vec<u32> = numbers.iter().map(|&[_, passage]| passage).collect();
            of_all.sort_unstable();
            prop_assert_eq!(of_all, (0..passages.len() as u32).collect::<Vec<_>>());
            for [number, passage] in numbers {
                let (own, passage) = (originals[number as usize], passages[passage as usize]);
                prop_assert_eq!((own.document, own.start, own.tokens), (passage.original, passage.original_start, passage.tokens));
            }
            for own in &originals {
                let contains = |passage: &&LaterPassage| {
                    passage.original == own.document && passage.original_start <= own.start && passage.original_end() >= own.end()
                };
                prop_assert_eq!(own.times as usize, passages.iter().filter(contains).count() + 1);
            }
        }
    }
}
