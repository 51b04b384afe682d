//! Ranking: orders the distinct passages by how often they occur, and finds the original of every later place.

use super::found::{DistinctPassage, FoundStretch, RepeatedOrigin};
use crate::{Error, Result};
use neardup_core::Error as Core;
use neardup_core::repeated_passages::originals::Originals;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::store::{List, Store};
use std::cmp::Reverse;

/// Returns the distinct passages, and the original of each passage at a later place.
///
/// The most repeated passages come first; of equally repeated ones the longer, then the earlier. `firsts` and `later` locate the
/// originals and the passages in their texts. Takes about `memory` bytes.
///
/// # Errors
/// [`Error::Data`] if the tokens of a passage differ from those of its original: two different N-grams had one fingerprint. If
/// all agree, no such collision occurred, because the later of two N-grams with one fingerprint is always said to repeat the
/// other.
pub fn rank(
    originals: &Originals,
    firsts: &List<FoundStretch>,
    later: &List<FoundStretch>,
    store: &Store,
    memory: usize,
) -> Result<(List<DistinctPassage>, List<RepeatedOrigin>)> {
    let by_times = |row: &DistinctPassage| (Reverse(row.times), Reverse(row.tokens), row.number);
    let mut sorter = Sorter::new(store, by_times, memory);
    for (number, (original, first)) in (0..).zip(originals.all.values(store).zip(firsts.values(store))) {
        let (original, first) = (original.map_err(Core::from)?, first.map_err(Core::from)?);
        let (times, tokens, document, start) = (original.times, original.tokens, original.document, original.start);
        sorter.push(DistinctPassage { number, times, tokens, document, start, span: first.span })?;
    }
    let repeated = sorter.finish()?;
    let mut ranks = Sorter::new(store, |row: &[u32; 2]| row[0], memory);
    for (rank, row) in (1..).zip(repeated.values(store)) {
        ranks.push([row.map_err(Core::from)?.number, rank])?;
    }
    let ranks = ranks.finish()?;
    let mut ranked = (0..).zip(ranks.values(store).zip(firsts.values(store)));
    let mut homes = Sorter::new(store, |home: &RepeatedOrigin| home.passage, memory);
    let mut here: Option<(u32, u32, FoundStretch)> = None;
    for entry in originals.passages.values(store) {
        let [number, passage] = entry.map_err(Core::from)?;
        // Every original has passages, so none is skipped.
        if here.is_none_or(|(own, ..)| own != number) {
            let Some((own, (rank, first))) = ranked.next() else { break };
            here = Some((own, rank.map_err(Core::from)?[1], first.map_err(Core::from)?));
        }
        if let Some((_, rank, original)) = here {
            homes.push(RepeatedOrigin { original, passage, rank })?;
        }
    }
    let homes = homes.finish()?;
    for (home, passage) in homes.values(store).zip(later.values(store)) {
        if home.map_err(Core::from)?.original.digest != passage.map_err(Core::from)?.digest {
            let advice = "another number of tokens makes other fingerprints: --tokens";
            return Err(Error::Data(format!("two different runs of tokens have the same fingerprint; {advice}")));
        }
    }
    Ok((repeated, homes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use neardup_core::repeated_passages::passages::LaterPassage;
    use neardup_core::util::ids::DocId;

    /// Ranks passages at tokens 0, 1, ... of document 9, each a repeat of an original given by document, place and length. All
    /// texts are alike, except that of the passage `changed`.
    fn rank_of(originals: &[(u32, u32, u32)], changed: Option<usize>) -> Result<(Vec<DistinctPassage>, Vec<RepeatedOrigin>)> {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let passage = |(start, &(original, original_start, tokens))| LaterPassage {
            document: DocId(9),
            start,
            tokens,
            original: DocId(original),
            original_start,
        };
        let passages: Vec<LaterPassage> = (0..).zip(originals).map(passage).collect();
        let (mut list, mut firsts, mut later) = (List::default(), List::default(), List::default());
        list.append(&store, &passages).unwrap();
        let found = Originals::of(&list, &store, 0).unwrap();
        let stretch =
            |document: u32, start: u32, tokens: u32| FoundStretch { digest: [1, u64::from(tokens)], span: [document, start, tokens, 0] };
        let rows = found.all.all(&store).unwrap();
        firsts.append(&store, &rows.iter().map(|row| stretch(row.document.0, row.start, row.tokens)).collect::<Vec<_>>()).unwrap();
        let mut stretches: Vec<FoundStretch> = passages.iter().map(|passage| stretch(9, passage.start, passage.tokens)).collect();
        changed.into_iter().for_each(|at| stretches[at].digest[0] = 2);
        later.append(&store, &stretches).unwrap();
        let (repeated, homes) = rank(&found, &firsts, &later, &store, 0)?;
        Ok((repeated.all(&store).unwrap(), homes.all(&store).unwrap()))
    }

    const ORIGINALS: [(u32, u32, u32); 6] = [(3, 0, 5), (1, 7, 6), (3, 0, 5), (1, 7, 9), (0, 2, 5), (3, 8, 5)];

    #[test]
    fn the_most_repeated_come_first() {
        let (repeated, homes) = rank_of(&ORIGINALS, None).unwrap();
        let rows: Vec<_> = repeated.iter().map(|row| (row.times, row.tokens, row.document.0, row.start)).collect();
        // The shorter of document 1 is in the longer, too.
        assert_eq!(rows, [(3, 6, 1, 7), (3, 5, 3, 0), (2, 9, 1, 7), (2, 5, 0, 2), (2, 5, 3, 8)]);
        let found: Vec<_> = homes.iter().map(|home| (home.passage, home.rank, home.original.span)).collect();
        let expected = (0..).zip(ORIGINALS).zip([2, 1, 2, 3, 4, 5]);
        let expected: Vec<_> =
            expected.map(|((passage, (document, start, tokens)), rank)| (passage, rank, [document, start, tokens, 0])).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_passage_that_is_not_its_original_is_an_error() {
        for at in 0..ORIGINALS.len() {
            let error = rank_of(&ORIGINALS, Some(at)).unwrap_err().to_string();
            assert!(error.contains("the same fingerprint"), "{error}");
        }
        assert!(rank_of(&[], None).unwrap().1.is_empty());
    }
}
