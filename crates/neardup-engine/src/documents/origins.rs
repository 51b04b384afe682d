//! Where documents come from: their URLs, their times, and their places in archives.

use crate::Result;
use crate::documents::catalogue::Catalogue;
use crate::documents::chunk::{CatalogueChunk, MISSING};
use neardup_core::util::ids::DocId;
use neardup_core::util::store::Store;
use neardup_corpus::{PlaceUnit, SourceSpan};
use std::io;
use std::ops::Range;

/// Where a document comes from, as far as archives and named fields state it.
#[derive(Clone, Debug, Default)]
pub struct DocumentOrigin {
    /// Its URL.
    pub url: Option<String>,
    /// Its time in microseconds.
    pub time: Option<i64>,
    /// Its record in an archive, in bytes of the file as it is stored.
    pub archived: Option<SourceSpan>,
}

impl Catalogue {
    /// Whether some documents are records of web archives.
    pub fn has_archives(&self) -> bool {
        self.catalogue_chunks().iter().any(|chunk| chunk.unit == PlaceUnit::Record)
    }

    /// Returns where `documents`, in any order, come from.
    pub fn origins(&self, documents: &[DocId]) -> Result<Vec<DocumentOrigin>> {
        let mut origins = vec![DocumentOrigin::default(); documents.len()];
        for part in self.numbering.parts(documents) {
            let places = || part.entries.iter().map(|&(_, place)| place as usize);
            // Places ascend.
            let (first, last) = (places().next().unwrap_or(0), places().next_back().unwrap_or(0));
            let read =
                origins_of(&self.catalogue_chunks()[part.number], self.store(), first..last + 1).map_err(neardup_core::Error::from)?;
            part.entries.iter().for_each(|&(position, place)| origins[position as usize] = read[place as usize - first].clone());
        }
        Ok(origins)
    }
}

/// Returns the origins of the documents in a range of places.
fn origins_of(chunk: &CatalogueChunk, store: &Store, range: Range<usize>) -> io::Result<Vec<DocumentOrigin>> {
    let (times, spans) = (store.read(chunk.times, range.clone())?, store.read(chunk.spans, range.clone())?);
    // The documents after the last URL have no entry.
    let with_url = range.start.min(chunk.url_ends.len())..range.end.min(chunk.url_ends.len());
    let before = if with_url.start == 0 { 0 } else { store.get(chunk.url_ends, with_url.start - 1)? };
    let ends = store.read(chunk.url_ends, with_url)?;
    let bytes = store.read(chunk.urls, before as usize..ends.last().map_or(before, |&end| end) as usize)?;
    let starts = std::iter::once(&before).chain(&ends);
    let url = |(&start, &end): (&u32, &u32)| {
        let url = &bytes[(start - before) as usize..(end - before) as usize];
        (!url.is_empty()).then(|| String::from_utf8_lossy(url).into_owned())
    };
    let urls = starts.zip(&ends).map(url).chain(std::iter::repeat(None));
    let is_archived = chunk.unit == PlaceUnit::Record;
    let origin = |((time, span), url)| DocumentOrigin {
        url,
        time: Some(time).filter(|&time| time != MISSING),
        archived: is_archived.then_some(span),
    };
    Ok(times.into_iter().zip(spans).zip(urls).map(origin).collect())
}
