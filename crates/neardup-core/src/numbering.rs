//! Numbering: the documents of a run, numbered through its parts.

use std::ops::Range;

/// The first number of every part, and the number behind the last.
#[derive(Clone, Debug)]
pub struct Numbering {
    firsts: Vec<u32>,
}

impl Numbering {
    /// Numbers the documents of parts of these lengths through, from 0.
    pub fn new(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut firsts = vec![0];
        firsts.extend(lengths.into_iter().scan(0, |end, length| {
            *end += length as u32;
            Some(*end)
        }));
        Numbering { firsts }
    }

    /// How many documents.
    pub fn len(&self) -> usize {
        self.firsts[self.firsts.len() - 1] as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first number of every part.
    pub fn firsts(&self) -> &[u32] {
        &self.firsts[..self.firsts.len() - 1]
    }

    /// The numbers of a part.
    pub fn range(&self, part: usize) -> Range<usize> {
        self.firsts[part] as usize..self.firsts[part + 1] as usize
    }

    /// The part a document is in, and its place there.
    pub fn find(&self, document: u32) -> (usize, usize) {
        let part = self.firsts.partition_point(|&first| first <= document) - 1;
        (part, (document - self.firsts[part]) as usize)
    }

    /// Goes through `documents` part by part, whatever their order: `each` takes a part, and for every document in it
    /// its position in `documents` and its place in the part.
    pub fn by_part<E>(&self, documents: &[u32], mut each: impl FnMut(usize, &[(usize, usize)]) -> Result<(), E>) -> Result<(), E> {
        let mut positions: Vec<u32> = (0..documents.len() as u32).collect();
        positions.sort_unstable_by_key(|&position| documents[position as usize]);
        let mut rest = &positions[..];
        let mut here = Vec::new();
        while let Some(&position) = rest.first() {
            let part = self.find(documents[position as usize]).0;
            let range = self.range(part);
            let count = rest.partition_point(|&position| (documents[position as usize] as usize) < range.end);
            here.clear();
            here.extend(rest[..count].iter().map(|&position| (position as usize, documents[position as usize] as usize - range.start)));
            each(part, &here)?;
            rest = &rest[count..];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_places() {
        let numbering = Numbering::new([2, 0, 3]);
        assert_eq!((numbering.len(), numbering.firsts(), numbering.range(2)), (5, &[0, 2, 2][..], 2..5));
        let found: Vec<(usize, usize)> = (0..5).map(|document| numbering.find(document)).collect();
        assert_eq!(found, [(0, 0), (0, 1), (2, 0), (2, 1), (2, 2)]);
    }

    #[test]
    fn part_by_part_whatever_the_order() {
        let mut seen = Vec::new();
        let each = |part, here: &[(usize, usize)]| {
            seen.push((part, here.to_vec()));
            Ok::<(), ()>(())
        };
        Numbering::new([2, 0, 3]).by_part(&[4, 1, 2, 0], each).unwrap();
        assert_eq!(seen, [(0, vec![(3, 0), (1, 1)]), (2, vec![(2, 0), (0, 2)])]);
        assert!(Numbering::new([]).is_empty());
    }
}
