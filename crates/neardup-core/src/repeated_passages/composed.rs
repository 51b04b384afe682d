//! Composed pieces: pieces that occur whole at an earlier place, although no passage contains them whole.
//!
//! For example, two lines differ in one word. Of the N-grams of the second line, those with that word have their first
//! place there, and the others in the first line. A third line, equal to the second, repeats them all, but in two
//! passages or more. So pieces whose N-grams all occur at two places are compared as wholes. The first of the pieces
//! with equal tokens is kept, and the others can be removed.

use super::first::{place, place_of};
use super::images::TokenRun;
use super::originals::Original;
use super::passages::LaterPassage;
use super::reference::PassageReference;
use crate::Result;
use crate::util::external_sort::Sorter;
use crate::util::ids::DocId;
use crate::util::store::{List, Store};
use std::ops::Range;

/// A piece that may occur whole at an earlier place: a 128-bit digest of its tokens, its place, and its number of tokens.
pub type Composed = [u64; 4];

/// Returns the entry of a piece of a document, with this digest of its tokens.
pub fn composed([first, second]: [u64; 2], document: DocId, piece: &Range<usize>) -> Composed {
    [first, second, place(document, piece.start as u32), piece.len() as u64]
}

/// Returns the numbers of the `pieces` that may be composed. Such a piece has at least `n` tokens, each of its N-grams
/// is in a passage or an original, and no passage or original contains the whole piece. All arguments are of one
/// document, in order.
pub fn candidates(n: usize, pieces: &[Range<usize>], passages: &[LaterPassage], originals: &[Original]) -> Vec<usize> {
    let passages = passages.iter().map(|passage| passage.start as usize..passage.end() as usize);
    let originals = originals.iter().map(|original| original.start as usize..original.end() as usize);
    let mut runs: Vec<Range<usize>> = passages.chain(originals).collect();
    runs.sort_unstable_by_key(|run| run.start);
    // Ranges of the starts of N-grams that occur at two places.
    let mut shared: Vec<Range<usize>> = Vec::new();
    for run in &runs {
        let end = run.end + 1 - n;
        match shared.last_mut() {
            Some(last) if run.start <= last.end => last.end = last.end.max(end),
            _ => shared.push(run.start..end),
        }
    }
    let (mut run, mut reach, mut at) = (0, 0, 0);
    let mut found = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        while runs.get(run).is_some_and(|run| run.start <= piece.start) {
            reach = reach.max(runs[run].end);
            run += 1;
        }
        if piece.len() < n || reach >= piece.end {
            continue;
        }
        let end = piece.end + 1 - n;
        while shared.get(at).is_some_and(|shared| shared.end < end) {
            at += 1;
        }
        if shared.get(at).is_some_and(|shared| shared.start <= piece.start) {
            found.push(number);
        }
    }
    found
}

/// Returns what composed pieces must be sorted by: equal ones follow each other in the order of their places, those of the
/// reference first.
pub fn composed_order(&[first, second, at, _]: &Composed, reference: PassageReference) -> ([u64; 2], (bool, DocId), u64) {
    ([first, second], reference.order(place_of(at).0), at)
}

/// Returns the copies of an earlier composed piece, in the order of their places, except those in the `reference`.
/// `composed` must be sorted by [`composed_order`]. Calls `stays` with each piece outside the reference that has copies.
pub fn copies(
    composed: &List<Composed>,
    reference: PassageReference,
    store: &Store,
    memory: usize,
    mut stays: impl FnMut(TokenRun) -> Result<()>,
) -> Result<List<TokenRun>> {
    let mut copies = Sorter::new(store, |run: &TokenRun| *run, memory);
    let is_in_reference = |piece: &Composed| reference.includes(place_of(piece[2]).0);
    let mut first: Option<(Composed, bool)> = None;
    for piece in composed.values(store) {
        let piece = piece?;
        match &mut first {
            Some((home, _)) if home[..2] == piece[..2] && is_in_reference(&piece) => {}
            Some((home, is_listed)) if home[..2] == piece[..2] && reference.may_hold_original(place_of(home[2]).0) => {
                if !*is_listed && !is_in_reference(home) {
                    stays(run(home))?;
                }
                *is_listed = true;
                copies.push(run(&piece))?;
            }
            _ => first = Some((piece, false)),
        }
    }
    copies.finish()
}

fn run(&[_, _, at, tokens]: &Composed) -> TokenRun {
    let (document, start) = place_of(at);
    TokenRun { document, start, tokens: tokens as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repeated_passages::cut::choose;
    use crate::repeated_passages::flow::{reference, slow};
    use crate::repeated_passages::images::images;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// The remaining lines of `texts`.
    fn left(texts: &[Vec<Vec<u64>>], reference: PassageReference, n: usize) -> Vec<Vec<Vec<u64>>> {
        let flat: Vec<Vec<u64>> = texts.iter().map(|lines| lines.concat()).collect();
        let passages = slow(&flat, reference, n);
        let of = |document: usize| passages.iter().copied().filter(|passage| passage.document.index() == document).collect::<Vec<_>>();
        let originals = |document: usize| {
            let of_input = passages.iter().filter(|passage| !reference.includes(passage.document));
            let own = of_input.filter(|passage| passage.original.index() == document);
            let original = |passage: &LaterPassage| Original {
                document: DocId(document as u32),
                start: passage.original_start,
                tokens: passage.tokens,
                times: 2,
            };
            let mut own: Vec<Original> = own.map(original).collect();
            own.sort_unstable();
            own.dedup();
            own
        };
        let pieces = |lines: &[Vec<u64>]| -> Vec<Range<usize>> {
            let ends = lines.iter().scan(0, |end, line| {
                *end += line.len();
                Some(*end - line.len()..*end)
            });
            ends.collect()
        };
        let (store, mut numbers) = (Store::new(tempfile::tempfile().unwrap(), 0), HashMap::new());
        let (mut stays, mut whole): (Vec<TokenRun>, Vec<Composed>) = (Vec::new(), Vec::new());
        for (document, text) in texts.iter().enumerate() {
            let (pieces, passages) = (pieces(text), of(document));
            stays.extend(images(DocId(document as u32), &pieces, &passages, reference));
            for at in candidates(n, &pieces, &passages, &originals(document)) {
                let next = numbers.len() as u64;
                whole.push(composed([*numbers.entry(&text[at]).or_insert(next), 0], DocId(document as u32), &pieces[at]));
            }
        }
        whole.sort_unstable_by_key(|piece| composed_order(piece, reference));
        let mut list = List::default();
        list.append(&store, &whole).unwrap();
        let stay = |run| {
            stays.push(run);
            Ok(())
        };
        let copies = copies(&list, reference, &store, 0, stay).unwrap();
        let copies: Vec<TokenRun> = copies.values(&store).collect::<Result<_, _>>().unwrap();
        stays.sort_unstable();
        assert!(copies.iter().chain(&stays).all(|run| !reference.includes(run.document)));
        let cut = |(document, lines): (usize, &Vec<Vec<u64>>)| {
            if reference.includes(DocId(document as u32)) {
                return lines.clone();
            }
            let runs: Vec<Range<usize>> = of(document).iter().map(|passage| passage.start as usize..passage.end() as usize).collect();
            let own = |runs: &[TokenRun]| -> Vec<Range<usize>> {
                let own = runs.iter().filter(|run| run.document.index() == document);
                own.map(|run| run.start as usize..run.end() as usize).collect()
            };
            let cuts = choose(&pieces(lines), &runs, &own(&copies), &own(&stays));
            lines.iter().zip(cuts).filter(|(_, is_cut)| !is_cut).map(|(line, _)| line.clone()).collect::<Vec<_>>()
        };
        texts.iter().enumerate().map(cut).collect()
    }

    fn lines() -> impl Strategy<Value = Vec<Vec<Vec<u64>>>> {
        let kinds = proptest::collection::vec(proptest::collection::vec(0u64..1000, 1..14), 1..6);
        let texts = proptest::collection::vec(proptest::collection::vec(0usize..6, 0..12), 1..6);
        (kinds, texts).prop_map(|(kinds, texts)| {
            texts.iter().map(|text| text.iter().map(|&kind| kinds[kind % kinds.len()].clone()).collect()).collect()
        })
    }

    #[test]
    fn of_a_line_that_stands_many_times_one_stays() {
        let line: Vec<u64> = (0..13).collect();
        for n in [2, 8, 13, 14, 20, 26] {
            for times in [3, 6, 40] {
                let found = left(&[vec![line.clone(); times]], PassageReference::NONE, n);
                assert_eq!(found, [[line.clone()]], "{n} {times}");
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_goes_stands_whole_in_what_is_left(texts in lines(), n in 1usize..12, kind in (0u8..3, 0usize..4)) {
            let reference = reference(texts.len(), kind);
            let found = left(&texts, reference, n);
            let flat: Vec<Vec<u64>> = found.iter().map(|lines| lines.concat()).collect();
            let from = if reference.has_all_originals { reference.first.index().min(texts.len()) } else { 0 };
            for (lines, left) in texts.iter().zip(&found) {
                let mut left = left.iter().peekable();
                for line in lines {
                    let stays = left.next_if_eq(&line).is_some();
                    prop_assert!(stays || flat[from..].iter().any(|text| text.windows(line.len()).any(|window| window == line)));
                }
            }
        }

        #[test]
        fn lines_of_the_reference_go(texts in lines(), n in 1usize..12, size in 1usize..4) {
            let reference = reference(texts.len(), (1, size));
            let found = left(&texts, reference, n);
            let (input, known) = found.split_at(reference.first.index().min(texts.len()));
            for line in input.iter().flatten().filter(|line| line.len() >= n) {
                prop_assert!(known.iter().flatten().all(|other| other != line));
            }
        }

        #[test]
        fn of_lines_with_a_token_of_their_own_each_is_left_once(
            lengths in proptest::collection::vec(1usize..20, 6), own in proptest::collection::vec(0usize..30, 6),
            texts in proptest::collection::vec(proptest::collection::vec(0usize..6, 0..12), 1..6),
            n in 2usize..12,
        ) {
            // Lines of at least n tokens that differ in one token only.
            let line = |kind: usize| -> Vec<u64> {
                let length = n + lengths[kind] - 1;
                (0..length).map(|at| (if at == own[kind] % length { 100 * (kind + 1) } else { at }) as u64).collect()
            };
            let texts: Vec<Vec<Vec<u64>>> = texts.iter().map(|text| text.iter().map(|&kind| line(kind)).collect()).collect();
            let found = left(&texts, PassageReference::NONE, n);
            let [mut before, mut after] = [&texts, &found].map(|texts| texts.iter().flatten().collect::<Vec<_>>());
            before.sort_unstable();
            before.dedup();
            after.sort_unstable();
            prop_assert_eq!(before, after);
            prop_assert_eq!(left(&found, PassageReference::NONE, n), found);
        }
    }
}
