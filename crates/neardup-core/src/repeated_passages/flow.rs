//! All steps together, compared with the definition on small texts.

use super::anchors::Anchors;
use super::first::{later, place};
use super::grams::Grams;
use super::originals::Originals;
use super::partitioned::{Partitioned, RadixPartitioner};
use super::passages::{LaterPassage, passages};
use super::reference::PassageReference;
use super::shared::{PARTS, is_shared, part, shared};
use crate::util::control::PhaseControl;
use crate::util::ids::DocId;
use crate::util::store::{List, Store};
use proptest::prelude::*;
use std::collections::HashMap;

struct Quiet;

impl PhaseControl for Quiet {
    fn check(&self) -> crate::Result<()> {
        Ok(())
    }

    fn advance(&self, _: u64) {}
}

/// The passages of `texts`, computed with `memory` and `blocks`.
fn find(texts: &[Vec<u64>], reference: PassageReference, n: usize, memory: usize, blocks: usize) -> Vec<LaterPassage> {
    let store = Store::new(tempfile::tempfile().unwrap(), 0);
    let (mut anchors, mut grams) = (Anchors::new(n), Grams::new(n));
    let (mut partitioned, mut partitioner, mut count) = (Partitioned::default(), RadixPartitioner::default(), 0);
    for text in texts {
        let mut chosen = Vec::new();
        anchors.choose(text, &mut chosen);
        let entries: Vec<[u64; 2]> = (count..).zip(&chosen).map(|(number, &anchor)| [anchor, number]).collect();
        partitioned.append(partitioner.partition(&store, &entries, PARTS, |entry| part(entry[0])).unwrap());
        count += chosen.len() as u64;
    }
    let bits = shared(&store, &partitioned, count as usize, memory, &Quiet).unwrap();
    let (mut of_input, mut of_reference, mut partitioner, mut before) =
        (Partitioned::default(), Partitioned::default(), RadixPartitioner::default(), 0);
    for (document, text) in DocId::FIRST.onwards().zip(texts) {
        let gram = grams.of(text);
        let (mut entries, mut last) = (Vec::new(), 0);
        anchors.each(text, |begin, number, _| {
            last = number as u64 + 1;
            if is_shared(&bits, before + number as u64) {
                let [first, second] = gram(begin);
                entries.push([first, second, place(document, begin as u32)]);
            }
        });
        before += last;
        let partitioned = if reference.includes(document) { &mut of_reference } else { &mut of_input };
        partitioned.append(partitioner.partition(&store, &entries, PARTS, |entry| part(entry[0])).unwrap());
    }
    let block = |document: DocId| document.index() * blocks / texts.len();
    let mut partitioned = of_reference;
    partitioned.append(of_input);
    let mut met = Partitioned::default();
    (0..PARTS).for_each(|part| met.append(later(&store, (&partitioned, part), reference, (blocks, &block), memory, &Quiet).unwrap()));
    (0..blocks).flat_map(|block| passages(&store, &met, block, n).unwrap()).collect()
}

/// By the definition, with a map of all N-grams.
pub(super) fn slow(texts: &[Vec<u64>], reference: PassageReference, n: usize) -> Vec<LaterPassage> {
    let mut first: HashMap<&[u64], (DocId, u32)> = HashMap::new();
    let mut passages: Vec<LaterPassage> = Vec::new();
    let mut order: Vec<(DocId, &Vec<u64>)> = DocId::FIRST.onwards().zip(texts).collect();
    order.sort_by_key(|&(document, _)| reference.order(document));
    for (document, text) in order {
        for (begin, gram) in (0u32..).zip(text.windows(n)) {
            let original = match first.get(gram) {
                Some(&original) => original,
                None if reference.may_hold_original(document) => {
                    first.insert(gram, (document, begin));
                    continue;
                }
                None => continue,
            };
            match passages.last_mut() {
                Some(last)
                    if (last.document, last.end() + 1 - n as u32) == (document, begin)
                        && (last.original, last.original_end() + 1 - n as u32) == original =>
                {
                    last.tokens += 1;
                }
                _ => passages.push(LaterPassage {
                    document,
                    start: begin,
                    tokens: n as u32,
                    original: original.0,
                    original_start: original.1,
                }),
            }
        }
    }
    passages.sort_unstable();
    passages
}

/// No reference if `kind` is 0; otherwise the last `size` of `count` documents, and for kind 1 all originals are there.
pub(super) fn reference(count: usize, (kind, size): (u8, usize)) -> PassageReference {
    if kind == 0 {
        return PassageReference::NONE;
    }
    PassageReference { first: DocId((count - size.min(count)) as u32), has_all_originals: kind == 1 }
}

fn texts() -> impl Strategy<Value = Vec<Vec<u64>>> {
    let text = |letters: u64, most: usize| proptest::collection::vec(0..letters, 0..most);
    let few = proptest::collection::vec(text(2, 40), 1..8);
    let more = proptest::collection::vec(text(5, 80), 1..12);
    // Paragraphs of a few kinds in any order.
    let paragraphs =
        (proptest::collection::vec(text(1000, 20), 1..6), proptest::collection::vec(proptest::collection::vec(0usize..6, 0..8), 1..12));
    let templates = paragraphs.prop_map(|(kinds, texts)| {
        texts.iter().map(|text| text.iter().flat_map(|&kind| kinds[kind % kinds.len()].clone()).collect()).collect()
    });
    prop_oneof![few, more, templates]
}

proptest! {
    #[test]
    fn every_passage_is_found_and_nothing_else(
        texts in texts(), n in 1usize..12, memory in 1usize..2000, blocks in 1usize..5, kind in (0u8..3, 0usize..6),
    ) {
        let reference = reference(texts.len(), kind);
        let found = find(&texts, reference, n, memory, blocks);
        prop_assert_eq!(&found, &slow(&texts, reference, n));
        for passage in &found {
            let run = |document: DocId, start: u32| &texts[document.index()][start as usize..(start + passage.tokens) as usize];
            prop_assert_eq!(run(passage.document, passage.start), run(passage.original, passage.original_start));
        }
        if reference != PassageReference::NONE {
            return Ok(());
        }
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let mut list = List::default();
        list.append(&store, &found).unwrap();
        for original in Originals::of(&list, &store, memory).unwrap().all.all(&store).unwrap() {
            let run = &texts[original.document.index()][original.start as usize..original.end() as usize];
            let occurrences = |text: &Vec<u64>| text.windows(run.len()).filter(|window| *window == run).count();
            prop_assert_eq!(original.times as usize, texts.iter().map(occurrences).sum::<usize>());
        }
    }
}

#[test]
fn one_token_over_and_over() {
    for length in [3, 4, 5, 50] {
        let texts = vec![vec![7; length], vec![7; 4]];
        assert_eq!(find(&texts, PassageReference::NONE, 4, 100, 2), slow(&texts, PassageReference::NONE, 4), "{length}");
    }
}
