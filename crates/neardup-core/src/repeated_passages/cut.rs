//! Cutting: selects the pieces of a text that are removed because they occur at an earlier place.
//!
//! A piece is removed if all its tokens are in one passage, or if it is the copy of an earlier piece, and if none of
//! its tokens must be kept. So every removed piece occurs whole at an earlier place. Pieces without tokens between two
//! removed ones, such as blank lines, are removed too.

use std::ops::Range;

/// Returns whether each of the `pieces` is removed. Pieces, `passages`, `copies` of earlier pieces and the runs that
/// must be kept (`stays`) are ranges of tokens, in order.
pub fn choose(pieces: &[Range<usize>], passages: &[Range<usize>], copies: &[Range<usize>], stays: &[Range<usize>]) -> Vec<bool> {
    let mut cuts: Vec<Option<bool>> = Vec::with_capacity(pieces.len());
    let (mut first, mut copy, mut kept, mut reach) = (0, 0, 0, 0);
    for piece in pieces {
        // Passages in the order of their starts are also in the order of their ends.
        while passages.get(first).is_some_and(|passage| passage.end < piece.end) {
            first += 1;
        }
        while copies.get(copy).is_some_and(|copy| copy.end < piece.end) {
            copy += 1;
        }
        while stays.get(kept).is_some_and(|run| run.start < piece.end) {
            reach = reach.max(stays[kept].end);
            kept += 1;
        }
        let occurs_earlier = passages.get(first).is_some_and(|passage| passage.start <= piece.start) || copies.get(copy) == Some(piece);
        cuts.push((!piece.is_empty()).then_some(occurs_earlier && reach <= piece.start));
    }
    fill(&cuts)
}

/// Decides pieces without tokens by the pieces around them.
fn fill(cuts: &[Option<bool>]) -> Vec<bool> {
    let mut filled: Vec<bool> = cuts.iter().map(|is_cut| is_cut.unwrap_or(false)).collect();
    let mut open = None;
    for (at, is_cut) in cuts.iter().enumerate() {
        match is_cut {
            Some(true) => {
                if let Some(before) = open {
                    filled[before..at].fill(true);
                }
                open = Some(at + 1);
            }
            Some(false) => open = None,
            None => {}
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Ends<'a> = &'a [(usize, usize)];

    #[test]
    fn whole_pieces_inside_one_passage_and_outside_what_stays_go() {
        let pieces = [0..3, 3..5, 5..5, 5..9, 9..9, 9..12, 12..14];
        let table: [(Ends<'_>, Ends<'_>, &str); 8] = [
            (&[], &[], "......."),
            (&[(0, 14)], &[], "xxxxxxx"),
            (&[(3, 12)], &[], ".xxxxx."),
            (&[(4, 12)], &[], "...xxx."),
            (&[(0, 7), (6, 14)], &[], "xx...xx"),
            (&[(0, 14)], &[(4, 6)], "x....xx"),
            (&[(0, 14)], &[(0, 2), (1, 3), (12, 13)], ".xxxxx."),
            (&[(0, 5), (3, 9), (9, 14)], &[(2, 3)], ".xxxxxx"),
        ];
        let ranges = |list: Ends<'_>| list.iter().map(|&(start, end)| start..end).collect::<Vec<_>>();
        for (passages, originals, expected) in table {
            let found: String =
                choose(&pieces, &ranges(passages), &[], &ranges(originals)).iter().map(|&is_cut| if is_cut { 'x' } else { '.' }).collect();
            assert_eq!(found, expected, "{passages:?} {originals:?}");
        }
    }

    proptest! {
        #[test]
        fn equals_the_rule(
            lengths in proptest::collection::vec(0usize..4, 0..20),
            starts in proptest::collection::btree_set(0usize..30, 0..8),
            ends in proptest::collection::btree_set(1usize..40, 8),
            originals in proptest::collection::vec((0usize..30, 1usize..5), 0..5),
        ) {
            let pieces: Vec<Range<usize>> = lengths.iter().scan(0, |end, length| {
                *end += length;
                Some(*end - length..*end)
            }).collect();
            let passages: Vec<Range<usize>> = starts.into_iter().zip(ends).filter(|(start, end)| start < end).map(|(start, end)| start..end).collect();
            let mut originals: Vec<Range<usize>> = originals.into_iter().map(|(start, length)| start..start + length).collect();
            originals.sort_unstable_by_key(|original| original.start);
            let cuts = choose(&pieces, &passages, &[], &originals);
            for (piece, is_cut) in pieces.iter().zip(cuts).filter(|(piece, _)| !piece.is_empty()) {
                let inside = passages.iter().any(|passage| passage.start <= piece.start && piece.end <= passage.end);
                let kept = originals.iter().any(|original| original.start < piece.end && piece.start < original.end);
                prop_assert_eq!(is_cut, inside && !kept);
            }
        }
    }
}
