//! Numbering: numbers the documents of a run consecutively through its parts.

use crate::util::ids::DocId;
use std::ops::Range;

/// First number of every part, and the number after the last document.
#[derive(Clone, Debug)]
pub struct Numbering {
    firsts: Vec<u32>,
}

impl Numbering {
    /// Numbers the documents of parts of these lengths consecutively, from 0.
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut firsts = vec![0];
        firsts.extend(lengths.into_iter().scan(0, |end, length| {
            *end += length as u32;
            Some(*end)
        }));
        Numbering { firsts }
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.firsts[self.firsts.len() - 1] as usize
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the first number of every part.
    pub fn firsts(&self) -> impl Iterator<Item = DocId> {
        self.firsts[..self.firsts.len() - 1].iter().copied().map(DocId)
    }

    /// Returns the numbers of the documents in a part.
    pub fn range(&self, part: usize) -> Range<usize> {
        self.firsts[part] as usize..self.firsts[part + 1] as usize
    }

    /// Returns the part that contains `document`, and the document's place in it.
    pub fn find(&self, document: DocId) -> (usize, usize) {
        let part = self.firsts.partition_point(|&first| first <= document.0) - 1;
        (part, (document.0 - self.firsts[part]) as usize)
    }

    /// Groups `documents`, which may be in any order, by the parts that contain them. Parts ascend.
    pub fn parts<'a>(&'a self, documents: &'a [DocId]) -> impl Iterator<Item = NumberedPart> + 'a {
        let mut positions: Vec<u32> = (0..documents.len() as u32).collect();
        positions.sort_unstable_by_key(|&position| documents[position as usize]);
        let mut done = 0;
        std::iter::from_fn(move || {
            let rest = &positions[done..];
            let number = self.find(documents[*rest.first()? as usize]).0;
            let range = self.range(number);
            let count = rest.partition_point(|&position| documents[position as usize].index() < range.end);
            done += count;
            let entry = |&position: &u32| (position, documents[position as usize].0 - range.start as u32);
            Some(NumberedPart { number, entries: rest[..count].iter().map(entry).collect() })
        })
    }
}

/// Some of the documents of one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedPart {
    /// Number of the part.
    pub number: usize,
    /// For every document, its position in the list passed to [`Numbering::parts`] and its place in the part; ascending by
    /// place.
    pub entries: Vec<(u32, u32)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_places() {
        let numbering = Numbering::new([2, 0, 3]);
        assert_eq!((numbering.len(), numbering.firsts().collect(), numbering.range(2)), (5, vec![DocId(0), DocId(2), DocId(2)], 2..5));
        let found: Vec<(usize, usize)> = DocId::first(5).map(|document| numbering.find(document)).collect();
        assert_eq!(found, [(0, 0), (0, 1), (2, 0), (2, 1), (2, 2)]);
    }

    #[test]
    fn parts_of_documents_in_any_order() {
        let numbering = Numbering::new([2, 0, 3]);
        let parts: Vec<NumberedPart> = numbering.parts(&[4, 1, 2, 0].map(DocId)).collect();
        let expected = [(0, vec![(3, 0), (1, 1)]), (2, vec![(2, 0), (0, 2)])];
        assert_eq!(parts, expected.map(|(number, entries)| NumberedPart { number, entries }));
        assert!(Numbering::new([]).is_empty());
    }
}
