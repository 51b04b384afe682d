//! Text layouts: the places of the texts of a segment that will be written.

use crate::Result;
use crate::documents::places::TextPlaces;
use crate::documents::texts;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::manifest::Manifest;
use crate::storage::file_kind::FileKind;
use neardup_core::util::ids::DocId;
use std::ops::Range;
use std::path::Path;

/// The places of the texts of a segment that will be written.
pub struct TextLayout {
    /// Names of the files of texts.
    pub files: Vec<String>,
    /// Number of bytes of all these files.
    pub bytes: u64,
    /// The place of each document's text: see [`TextPlaces`].
    pub places: Vec<Range<u64>>,
}

impl TextLayout {
    /// Writes the texts of the documents `kept` as a new file.
    pub fn anew(contents: &Snapshot, kept: &[DocId], dir: &Path, manifest: &mut Manifest) -> Result<TextLayout> {
        let row = |document: u32| contents.index_state.remains(kept[document as usize]);
        let (count, mut bytes) = (kept.len() as u32, 0);
        let places: Vec<Range<u64>> = (0..count)
            .map(|document| {
                let start = bytes;
                bytes += row(document).text.len() as u64;
                start..bytes
            })
            .collect();
        let name = manifest.new_file(FileKind::Texts);
        texts::write(&dir.join(&name), &manifest.identity, count, &row, &places)?;
        Ok(TextLayout { files: vec![name], bytes, places })
    }

    /// Keeps the texts of the documents `kept` of these segments in their files. Omits files that contain only texts of dead
    /// documents.
    pub fn again(contents: &Snapshot, kept: &[DocId], segments: Range<usize>) -> TextLayout {
        let document_table = &contents.index_state.document_table;
        let mut layout = TextLayout { files: Vec::new(), bytes: 0, places: Vec::with_capacity(kept.len()) };
        let mut kept = kept;
        for (segment, &start) in document_table.segments()[segments.clone()].iter().zip(&document_table.starts()[segments]) {
            let own;
            (own, kept) = kept.split_at(kept.partition_point(|&number| number < start.plus(segment.count())));
            layout.take(segment.places(), own.iter().map(|number| number.index() - start.index()));
        }
        layout
    }

    /// Takes over the places of some documents of a segment, file by file.
    fn take(&mut self, places: &TextPlaces, kept: impl Iterator<Item = usize>) {
        let mut taken = None;
        for place in kept.map(|document| places.of(document)) {
            if place.is_empty() {
                let at = self.places.last().map_or(0, |last| last.end);
                self.places.push(at..at);
                continue;
            }
            let file = places.file(place.start);
            if taken != Some(file) {
                taken = Some(file);
                self.files.push(places.files()[file].name().to_owned());
                self.bytes += places.files()[file].bytes().len() as u64;
            }
            // Computed from the end of the file, which is also the end of all files so far.
            let end = places.end(file);
            self.places.push(self.bytes - (end - place.start)..self.bytes - (end - place.end));
        }
    }

    /// Number of bytes of the texts of the documents.
    pub fn living(&self) -> u64 {
        self.places.iter().map(|place| place.end - place.start).sum()
    }
}
