//! Images: where the pieces that can go stand at an earlier place.
//!
//! A piece can go when all its tokens lie in one passage; its *image* is the same run of tokens in the original of that passage.
//! Images stay, so that whatever goes stands whole at an earlier place.

use super::passages::Passage;
use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A run of tokens that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub struct Image {
    /// The document.
    pub document: u32,
    /// Its first token there.
    pub start: u32,
    /// How many tokens.
    pub tokens: u32,
}

impl Image {
    /// One past its last token.
    pub fn end(&self) -> u32 {
        self.start + self.tokens
    }
}

/// The images of those `pieces` of `document` that can go, runs of them as one. `pieces` are ranges of tokens, in order, and
/// `passages` those of the document, in order.
///
/// Of several passages that hold a piece the one counts whose original is the earliest. An image in a piece of the same document
/// that can go itself is that piece's image: of a text that stands many times in one document the first copy stays, and no other.
pub fn images(document: u32, pieces: &[Range<usize>], passages: &[Passage]) -> Vec<Image> {
    let mut found: Vec<Option<Image>> = Vec::with_capacity(pieces.len());
    let mut first = 0;
    for piece in pieces {
        let (start, end) = (piece.start as u32, piece.end as u32);
        // Of passages that begin in a row of places none ends before one that begins earlier.
        while passages.get(first).is_some_and(|passage| passage.end() < end) {
            first += 1;
        }
        let holding = passages[first..].iter().take_while(|passage| passage.start <= start && start < end);
        let image = |passage: &Passage| Image {
            document: passage.original,
            start: passage.original_start + (start - passage.start),
            tokens: end - start,
        };
        found.push(holding.map(image).min().map(|image| through(image, document, pieces, &found)));
    }
    let mut all: Vec<Image> = Vec::new();
    for image in found.into_iter().flatten() {
        match all.last_mut() {
            Some(last) if last.document == image.document && last.start <= image.start && image.start <= last.end() => {
                last.tokens = last.tokens.max(image.end() - last.start);
            }
            _ => all.push(image),
        }
    }
    all
}

/// The image of an `image` in a piece that can go itself, else the image. Those of earlier pieces are `found`.
fn through(image: Image, document: u32, pieces: &[Range<usize>], found: &[Option<Image>]) -> Image {
    if image.document != document {
        return image;
    }
    let at = pieces[..found.len()].partition_point(|piece| piece.end <= image.start as usize);
    match (pieces[..found.len()].get(at), found.get(at).copied().flatten()) {
        (Some(piece), Some(own)) if piece.start <= image.start as usize && image.end() as usize <= piece.end => {
            Image { start: own.start + (image.start - piece.start as u32), tokens: image.tokens, ..own }
        }
        _ => image,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repeated_passages::cut::choose;
    use proptest::prelude::*;

    /// All passages of `texts`, by the definition.
    fn passages(texts: &[Vec<u64>], n: usize) -> Vec<Passage> {
        crate::repeated_passages::flow::slow(texts, n)
    }

    /// What is left of texts that are cut into `lines`.
    fn left(texts: &[Vec<Vec<u64>>], n: usize) -> Vec<Vec<Vec<u64>>> {
        let flat: Vec<Vec<u64>> = texts.iter().map(|lines| lines.concat()).collect();
        let passages = passages(&flat, n);
        let of = |document: usize| passages.iter().copied().filter(|passage| passage.document as usize == document).collect::<Vec<_>>();
        let pieces = |lines: &[Vec<u64>]| -> Vec<Range<usize>> {
            let ends = lines.iter().scan(0, |end, line| {
                *end += line.len();
                Some(*end - line.len()..*end)
            });
            ends.collect()
        };
        let mut stays: Vec<Image> =
            (0..texts.len()).flat_map(|document| images(document as u32, &pieces(&texts[document]), &of(document))).collect();
        stays.sort_unstable();
        let cut = |(document, lines): (usize, &Vec<Vec<u64>>)| {
            let runs: Vec<Range<usize>> = of(document).iter().map(|passage| passage.start as usize..passage.end() as usize).collect();
            let own = stays.iter().filter(|image| image.document as usize == document);
            let own: Vec<Range<usize>> = own.map(|image| image.start as usize..image.end() as usize).collect();
            let goes = choose(&pieces(lines), &runs, &own);
            lines.iter().zip(goes).filter(|(_, goes)| !goes).map(|(line, _)| line.clone()).collect::<Vec<_>>()
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
                let found = left(&[vec![line.clone(); times]], n);
                assert_eq!(found, [[line.clone()]], "{n} {times}");
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_goes_stands_whole_in_what_is_left(texts in lines(), n in 1usize..12) {
            let found = left(&texts, n);
            let flat: Vec<Vec<u64>> = found.iter().map(|lines| lines.concat()).collect();
            for line in texts.iter().flatten() {
                prop_assert!(flat.iter().any(|text| text.windows(line.len()).any(|window| window == line)));
            }
        }

        #[test]
        fn of_lines_that_share_no_tokens_each_is_left_once(
            lengths in proptest::collection::vec(1usize..9, 6), texts in proptest::collection::vec(proptest::collection::vec(0usize..6, 0..12), 1..6),
            n in 2usize..12,
        ) {
            // Of n tokens and more.
            let line = |kind: usize| (0..n + lengths[kind] - 1).map(|at| (100 * kind + at) as u64).collect::<Vec<_>>();
            let texts: Vec<Vec<Vec<u64>>> = texts.iter().map(|text| text.iter().map(|&kind| line(kind)).collect()).collect();
            let found = left(&texts, n);
            let [mut before, mut after] = [&texts, &found].map(|texts| texts.iter().flatten().collect::<Vec<_>>());
            before.sort_unstable();
            before.dedup();
            after.sort_unstable();
            prop_assert_eq!(before, after);
            prop_assert_eq!(left(&found, n), found);
        }
    }
}
