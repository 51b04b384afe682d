//! All segments of a run, with the documents numbered in input order.

use crate::Result;
use crate::pass::compiled::CompiledPass;
use crate::sets::bitmap;
use crate::sets::sketch::{Sketch, SketchSheet, Sketches};
use crate::signing::ignored_keys::Ignored;
use crate::signing::segment::{StoredChunk, range};
use crate::util::ids::DocId;
use crate::util::numbering::{NumberedPart, Numbering};
use crate::util::store::Store;
use rayon::prelude::*;
use std::sync::Arc;

/// The signed documents of a run.
#[derive(Debug)]
pub struct Segments {
    store: Arc<Store>,
    segments: Vec<StoredChunk>,
    numbering: Numbering,
}

impl Segments {
    /// Numbers the documents of `segments` consecutively.
    pub fn new(store: Arc<Store>, segments: Vec<StoredChunk>) -> Self {
        let numbering = Numbering::new(segments.iter().map(StoredChunk::len));
        Segments { store, segments, numbering }
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.numbering.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the store that contains the columns.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Returns every segment with the number of its first document.
    pub fn iter(&self) -> impl Iterator<Item = (DocId, &StoredChunk)> {
        self.numbering.firsts().zip(&self.segments)
    }

    /// Reads one column of all documents, in order.
    pub fn column<T: bytemuck::Pod + Send>(&self, pick: impl Fn(&StoredChunk) -> crate::util::store::StoredColumn<T>) -> Result<Vec<T>> {
        Ok(self.store.joined(self.segments.iter().map(&pick))?)
    }

    /// Reads the values of one column for `documents`, in the order given.
    pub fn gather<T: bytemuck::Pod>(
        &self,
        pick: impl Fn(&StoredChunk) -> crate::util::store::StoredColumn<T>,
        documents: &[DocId],
    ) -> Result<Vec<T>> {
        let mut values = vec![T::zeroed(); documents.len()];
        for part in self.numbering.parts(documents) {
            let column = self.store.all(pick(&self.segments[part.number]))?;
            part.entries.iter().for_each(|&(position, place)| values[position as usize] = column[place as usize]);
        }
        Ok(values)
    }

    /// Returns the size of every document's sketch in bytes.
    pub fn sketch_bytes(&self, pass: &CompiledPass) -> Result<Vec<u32>> {
        let bitmap = |features| if pass.has_bitmaps() { bitmap::bytes(features as usize) as u32 } else { 0 };
        let mut bytes: Vec<u32> = self.column(|segment| segment.features)?.into_iter().map(bitmap).collect();
        for (first, segment) in self.iter().filter(|(_, segment)| !segment.part_ends.is_empty()) {
            let ends = self.store.all(segment.part_ends)?;
            for (place, bytes) in bytes[first.index()..].iter_mut().take(segment.len()).enumerate() {
                *bytes += (size_of::<u64>() * range(&ends, place).len()) as u32;
            }
        }
        Ok(bytes)
    }

    /// Reads the sketches of `documents`, in the order given, without the values that are `ignored`.
    pub fn sketches(&self, documents: &[DocId], ignored: &Ignored) -> Result<Sketches> {
        let parts: Vec<NumberedPart> = self.numbering.parts(documents).collect();
        let sheet = |part: &NumberedPart| {
            let segment = &self.segments[part.number];
            let (features, ends) = (self.store.all(segment.features)?, self.store.all(segment.bitmap_ends)?);
            let (bitmaps, parts) = (self.store.all(segment.bitmaps)?, self.store.all(segment.parts)?);
            let part_ends = self.store.all(segment.part_ends)?;
            let words = part.entries.iter().map(|&(_, place)| range(&ends, place as usize).len() + range(&part_ends, place as usize).len());
            let (mut sheet, mut filtered) = (SketchSheet::with_room(part.entries.len(), words.sum()), Vec::new());
            for &(position, place) in &part.entries {
                let place = place as usize;
                let bitmap = &bitmaps[range(&ends, place)];
                let mut parts = &parts[range(&part_ends, place)];
                if !ignored.is_empty() {
                    ignored.filter(parts, &mut filtered);
                    parts = &filtered;
                }
                sheet.push(position, Sketch { most: features[place], least: bitmap::ones(bitmap), bitmap, parts });
            }
            Ok(sheet)
        };
        Ok(Sketches::new(documents.len(), parts.par_iter().map(sheet).collect::<Result<_>>()?))
    }
}
