//! The catalogue: source, place and id of every document.

use crate::Result;
use crate::documents::chunk::{CatalogueChunk, LackCounts, MISSING};
use crate::documents::ids::Ids;
use bytemuck::Zeroable;
use neardup_core::util::ids::DocId;
use neardup_core::util::numbering::Numbering;
use neardup_core::util::store::{Store, StoredColumn};
use neardup_corpus::{MissingFields, PlaceUnit, SourceSpan, TextPlace};
use std::io;
use std::sync::Arc;

/// The entries of all documents, in input order.
#[derive(Debug)]
pub struct Catalogue {
    store: Arc<Store>,
    catalogue_chunks: Vec<CatalogueChunk>,
    pub(super) numbering: Numbering,
    /// The names of the sources, as shown.
    pub sources: Vec<String>,
    has_ids: bool,
}

impl Catalogue {
    /// Returns a catalogue of `catalogue_chunks`. Without ids, the name of a document is its source and row.
    pub fn new(store: Arc<Store>, catalogue_chunks: Vec<CatalogueChunk>, sources: Vec<String>, has_ids: bool) -> Self {
        let numbering = Numbering::new(catalogue_chunks.iter().map(|chunk| chunk.rows.len()));
        Catalogue { store, catalogue_chunks, numbering, sources, has_ids }
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.numbering.len()
    }

    /// Returns the entries of every chunk.
    pub fn catalogue_chunks(&self) -> &[CatalogueChunk] {
        &self.catalogue_chunks
    }

    /// Returns the store that contains the entries.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    fn column<T: bytemuck::Pod + Send>(&self, pick: impl Fn(&CatalogueChunk) -> StoredColumn<T>) -> Result<Vec<T>> {
        Ok(self.store.joined(self.catalogue_chunks.iter().map(&pick)).map_err(neardup_core::Error::from)?)
    }

    /// Returns the source of every document.
    pub fn source_of(&self) -> Result<Vec<u32>> {
        let mut sources = self.column(|chunk| chunk.files)?;
        for (index, chunk) in self.catalogue_chunks.iter().enumerate() {
            sources[self.numbering.range(index)].iter_mut().for_each(|file| *file += chunk.source);
        }
        Ok(sources)
    }

    /// Returns for each source the number of records that lack each of [`MissingFields::flags`].
    pub fn lacking(&self) -> Result<Vec<LackCounts<u64>>> {
        let mut lacking = vec![LackCounts::default(); self.sources.len()];
        for chunk in self.catalogue_chunks.iter().filter(|chunk| chunk.lacking.iter().any(|&count| count > 0)) {
            // A chunk of whole files contains texts without fields, each of which lacks all.
            let files =
                if chunk.unit == PlaceUnit::File { self.store.all(chunk.files).map_err(neardup_core::Error::from)? } else { Vec::new() };
            let all = MissingFields::ALL.flags();
            for file in &files {
                let own = &mut lacking[(chunk.source + file) as usize];
                own.iter_mut().zip(all).for_each(|(count, lacks)| *count += u64::from(lacks));
            }
            if files.is_empty() {
                let own = &mut lacking[chunk.source as usize];
                own.iter_mut().zip(chunk.lacking).for_each(|(sum, count)| *sum += u64::from(count));
            }
        }
        Ok(lacking)
    }

    /// Returns the line or row of every document in its source, from 1.
    pub fn rows(&self) -> Result<Vec<u64>> {
        let mut rows = self.column(|chunk| chunk.rows)?;
        for (index, chunk) in self.catalogue_chunks.iter().enumerate() {
            let places = (chunk.rows_before..).zip(&mut rows[self.numbering.range(index)]);
            places.for_each(|(before, row)| *row = row.wrapping_add(before));
        }
        Ok(rows)
    }

    /// Calls `take` with every document and the place of its record in its source, chunk after chunk.
    pub fn each_span(&self, mut take: impl FnMut(DocId, SourceSpan)) -> Result<()> {
        for (first, chunk) in self.numbering.firsts().zip(&self.catalogue_chunks) {
            let spans = self.store.all(chunk.spans).map_err(neardup_core::Error::from)?;
            first.onwards().zip(spans).for_each(|(document, span)| take(document, span));
        }
        Ok(())
    }

    /// Returns all documents with their places, in order. Reads chunk by chunk.
    pub fn spans(&self) -> impl Iterator<Item = Result<(DocId, SourceSpan)>> {
        self.numbering.firsts().zip(&self.catalogue_chunks).flat_map(|(first, chunk)| match self.store.all(chunk.spans) {
            Ok(spans) => first.onwards().zip(spans).map(Ok).collect(),
            Err(error) => vec![Err(neardup_core::Error::from(error).into())],
        })
    }

    /// Whether any document has a time. Reads chunks until one has.
    pub fn has_times(&self) -> Result<bool> {
        for chunk in &self.catalogue_chunks {
            if chunk.times(&self.store)?.into_iter().any(|time| time != MISSING) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether any document has a number.
    pub fn has_numbers(&self) -> bool {
        self.catalogue_chunks.iter().any(|chunk| !chunk.numbers.is_empty())
    }

    /// Returns the time of every document, [`MISSING`] for those without one.
    pub fn times(&self) -> Result<Vec<i64>> {
        self.column(|chunk| chunk.times)
    }

    /// Returns the place of the number of every document in the order of numbers, [`MISSING`] for those without one.
    pub fn numbers(&self) -> Result<Vec<i64>> {
        let mut numbers = Vec::with_capacity(self.len());
        for (index, chunk) in self.catalogue_chunks.iter().enumerate() {
            numbers.append(&mut self.store.all(chunk.numbers).map_err(neardup_core::Error::from)?);
            numbers.resize(self.numbering.range(index).end, MISSING);
        }
        Ok(numbers)
    }

    /// Returns the preference rank of every document.
    pub fn ranks(&self) -> Result<Vec<u32>> {
        self.column(|chunk| chunk.ranks)
    }

    /// Returns the number of bytes that the ids take in memory.
    pub fn id_bytes(&self) -> usize {
        self.catalogue_chunks.iter().map(CatalogueChunk::id_bytes).sum()
    }

    /// Returns the ids of all documents. If the input has no ids, they consist of `source_of` and `rows`.
    pub fn ids(&self, source_of: &Arc<Vec<u32>>, rows: &Arc<Vec<u64>>) -> Result<Ids> {
        if !self.has_ids {
            return Ok(Ids::places(self.sources.clone(), Arc::clone(source_of), Arc::clone(rows)));
        }
        let changed =
            |_| neardup_core::Error::from(io::Error::new(io::ErrorKind::InvalidData, "the work file was changed: an id is no text"));
        let text = String::from_utf8(self.column(|chunk| chunk.ids)?).map_err(changed)?;
        let mut ends = Vec::with_capacity(self.len());
        let mut base = 0;
        for chunk in &self.catalogue_chunks {
            ends.extend(self.store.all(chunk.id_ends).map_err(neardup_core::Error::from)?.into_iter().map(|end| base + u64::from(end)));
            base += chunk.ids.len() as u64;
        }
        Ok(Ids::given(text, ends))
    }

    /// Returns the name of a document in messages: its source and row.
    pub fn name(&self, document: DocId) -> Result<String> {
        let (part, place) = self.numbering.find(document);
        let (chunk, all) = (&self.catalogue_chunks[part], neardup_core::Error::from);
        let file = self.store.get(chunk.files, place).map_err(all)?;
        let row = self.store.get(chunk.rows, place).map_err(all)?.wrapping_add(chunk.rows_before + place as u64);
        Ok(chunk.unit.place(&self.sources[(chunk.source + file) as usize], row))
    }

    /// Returns the unit that the row of a document counts.
    pub fn unit(&self, document: DocId) -> PlaceUnit {
        self.catalogue_chunks[self.numbering.find(document).0].unit
    }

    /// Returns where the texts of `documents`, in any order, can be fetched again: the reading, and the place in it.
    pub fn places(&self, documents: &[DocId]) -> Result<Vec<(u32, TextPlace)>> {
        let mut places = vec![(0, TextPlace::zeroed()); documents.len()];
        for part in self.numbering.parts(documents) {
            let chunk = &self.catalogue_chunks[part.number];
            let column = self.store.all(chunk.places).map_err(neardup_core::Error::from)?;
            part.entries.iter().for_each(|&(position, place)| places[position as usize] = (chunk.reading, column[place as usize]));
        }
        Ok(places)
    }

    /// Returns the times of `documents`, in any order, [`MISSING`] for those without one.
    pub fn times_of(&self, documents: &[DocId]) -> Result<Vec<i64>> {
        let mut times = vec![MISSING; documents.len()];
        for part in self.numbering.parts(documents) {
            let column = self.catalogue_chunks[part.number].times(&self.store)?;
            part.entries.iter().for_each(|&(position, place)| times[position as usize] = column[place as usize]);
        }
        Ok(times)
    }

    /// Returns the URLs of `documents`, in any order.
    pub fn urls_of(&self, documents: &[DocId]) -> Result<Vec<Option<String>>> {
        let mut urls = vec![None; documents.len()];
        for part in self.numbering.parts(documents) {
            let column = self.catalogue_chunks[part.number].urls(&self.store)?;
            for &(position, place) in &part.entries {
                urls[position as usize] = column.get(place as usize).filter(|url| !url.is_empty()).cloned();
            }
        }
        Ok(urls)
    }

    /// Returns a document with the longest text; `None` if there are no documents.
    pub fn longest(&self) -> Result<Option<DocId>> {
        let longest = self.catalogue_chunks.iter().zip(self.numbering.firsts()).max_by_key(|(chunk, _)| chunk.longest);
        let Some((chunk, first)) = longest else { return Ok(None) };
        let (_, places) = chunk.places(&self.store)?;
        Ok(first.onwards().zip(places).max_by_key(|(_, place)| place.len()).map(|(document, _)| document))
    }

    /// Returns the place of a record in its source.
    pub fn span(&self, document: DocId) -> Result<SourceSpan> {
        let (part, place) = self.numbering.find(document);
        Ok(self.store.get(self.catalogue_chunks[part].spans, place).map_err(neardup_core::Error::from)?)
    }

    /// Returns where one text can be fetched again: the reading, and the place in it.
    pub fn place(&self, document: DocId) -> Result<(u32, TextPlace)> {
        let (part, place) = self.numbering.find(document);
        let chunk = &self.catalogue_chunks[part];
        Ok((chunk.reading, self.store.get(chunk.places, place).map_err(neardup_core::Error::from)?))
    }
}
