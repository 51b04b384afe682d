//! All segments of a run: documents numbered through, in input order.

use crate::Result;
use crate::segment::Segment;
use crate::sketch::Sketches;
use crate::store::Store;
use std::sync::Arc;

/// The signed documents of a run.
#[derive(Debug)]
pub struct Segments {
    store: Arc<Store>,
    segments: Vec<Segment>,
    firsts: Vec<u32>,
}

impl Segments {
    /// Numbers the documents of `segments` through.
    pub fn new(store: Arc<Store>, segments: Vec<Segment>) -> Self {
        let mut firsts = vec![0];
        firsts.extend(segments.iter().scan(0, |end, segment| {
            *end += segment.len() as u32;
            Some(*end)
        }));
        Segments { store, segments, firsts }
    }

    /// How many documents.
    pub fn len(&self) -> usize {
        self.firsts[self.segments.len()] as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The store the columns stand in.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Every segment with the number of its first document.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Segment)> {
        self.firsts.iter().copied().zip(&self.segments)
    }

    /// One column of all documents, in order.
    pub fn column<T: bytemuck::Pod>(&self, pick: impl Fn(&Segment) -> crate::store::Column<T>) -> Result<Vec<T>> {
        let mut values = Vec::with_capacity(self.len());
        for segment in &self.segments {
            values.extend(self.store.all(pick(segment))?);
        }
        Ok(values)
    }

    /// The values of one column for ascending `documents`.
    pub fn gather<T: bytemuck::Pod>(&self, pick: impl Fn(&Segment) -> crate::store::Column<T>, documents: &[u32]) -> Result<Vec<T>> {
        let mut values = Vec::with_capacity(documents.len());
        let mut rest = documents;
        for (first, segment) in self.iter() {
            let here = rest.partition_point(|&document| document < first + segment.len() as u32);
            if here > 0 {
                let column = self.store.all(pick(segment))?;
                values.extend(rest[..here].iter().map(|&document| column[(document - first) as usize]));
                rest = &rest[here..];
            }
        }
        Ok(values)
    }

    /// The sketches of `documents`, in the order given.
    pub fn sketches(&self, documents: &[u32]) -> Result<Sketches> {
        // Read segment by segment, whatever the order asked for.
        let mut by_number: Vec<u32> = (0..documents.len() as u32).collect();
        by_number.sort_unstable_by_key(|&index| documents[index as usize]);
        let mut sketches = Sketches::with_room(documents.len());
        let mut at = 0;
        for (first, segment) in self.iter() {
            let end = first + segment.len() as u32;
            let here = by_number[at..].iter().take_while(|&&index| documents[index as usize] < end).count();
            if here == 0 {
                continue;
            }
            let (features, ends) = (self.store.all(segment.features)?, self.store.all(segment.bitmap_ends)?);
            let bitmaps = self.store.all(segment.bitmaps)?;
            for &index in &by_number[at..at + here] {
                let document = (documents[index as usize] - first) as usize;
                let start = if document == 0 { 0 } else { ends[document - 1] as usize };
                sketches.set(index as usize, features[document], &bitmaps[start..ends[document] as usize]);
            }
            at += here;
        }
        Ok(sketches)
    }
}
