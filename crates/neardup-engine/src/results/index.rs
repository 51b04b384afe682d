//! The index that a run leaves: all its documents, decided as the run decided them.
//!
//! An index takes documents one after another, without knowing those that are still to come. So a run may leave one only if that
//! changes no decision. This module refuses the runs whose decisions an index could not repeat. An index keeps the first or the
//! earliest. For every other policy it takes the documents in policy order, so that the first is the one that the run keeps.

use crate::documents::chunk::{CatalogueChunk, MISSING};
use crate::documents::ids::Ids;
use crate::documents::order::Keep;
use crate::documents::signed::SignedCorpus;
use crate::job::{Job, lexicons};
use crate::progress::{ProgressUnit, Watch};
use crate::resources::budget::Budget;
use crate::tables::names::TableNames;
use crate::{Error, Result};
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::{DocId, Rank};
use neardup_live::decide::passes::IndexPasses;
use neardup_live::documents::document::{Document, serial_of};
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index;
use neardup_live::snapshot::manifest::Settings;
use neardup_text::Text;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Name of the index folder in the folder of the results.
pub const INDEX: &str = "index";

/// Bytes that an index takes in memory for every document while it is written: its state, and the places of texts and the entries
/// of tables when segments are merged.
const PER_DOCUMENT: usize = 80;
const PER_KEY: usize = 8;
/// Bytes that it takes for documents that are in no segment yet, with their keys and sketches.
const FRESH: usize = 192 << 20;

/// Number of documents that are added together if they are in policy order.
const BLOCK: usize = 1 << 12;

/// Settings and passes of the index that a job leaves.
pub struct IndexPlan {
    settings: Settings,
    passes: IndexPasses,
}

impl IndexPlan {
    /// Returns the plan of the index of a job; `None` if the job leaves none.
    ///
    /// # Errors
    /// [`Error::Usage`] for a job whose decisions an index would not repeat.
    pub fn of(job: &Job<'_>) -> Result<Option<IndexPlan>> {
        if !job.options.index {
            return Ok(None);
        }
        let refuse = |why: &str| Err(Error::Usage(format!("no index can be left: {why}")));
        let is_earliest = job.keep() == Keep::Earliest && job.fields.prefer.is_empty();
        let policy = if is_earliest { Policy::Earliest } else { Policy::First };
        match () {
            () if job.options.output.is_none() => return refuse("name an output folder for it"),
            () if !job.decides() => return refuse("only dedup and cluster decide which documents are kept"),
            () if job.scheme.passes().len() > 1 => return refuse("the scheme has several passes, and an index is of one"),
            () if job.against.is_some() => {
                return refuse("references are compared with, and are no documents of the run: add them to the input");
            }
            () if job.limits_pairs() => return refuse("an index compares all documents (groups, min_tokens)"),
            () if job.keeps_one_per_component() => return refuse("an index applies the leader rule (one_per)"),
            () if job.options.keep_per_duplicate != 1 => {
                return refuse("an index keeps one document of each group of duplicates (keep_per_duplicate)");
            }
            () if policy == Policy::Earliest && job.fields.id.is_none() => {
                return refuse("of documents of one time the smaller id is kept: name the field with the ids, or keep the first");
            }
            () => {}
        }
        let passes = IndexPasses::new(&job.scheme, None, |scheme| {
            lexicons::compiled(scheme).map_err(|error| neardup_live::Error::Usage(error.to_string()))
        })?;
        let scheme = job.scheme.seal()?.to_string();
        let (tokens_version, unicode) = (neardup_text::TOKENS_VERSION, neardup_text::UNICODE_VERSION.to_owned());
        let settings = Settings {
            scheme,
            parts_scheme: None,
            tokens_version,
            unicode,
            policy,
            ttl_seconds: None,
            most: None,
            extractor: job.options.extractor.clone(),
            shard: None,
        };
        Ok(Some(IndexPlan { settings, passes }))
    }

    /// Returns the bytes that the index takes in memory while it is written, and the bytes for every document in addition.
    pub fn memory(&self) -> [usize; 2] {
        [FRESH, PER_DOCUMENT + self.passes.tables() * PER_KEY]
    }

    /// Refuses documents that an index cannot contain, and a budget that is too small for the index.
    pub fn check(&self, signed: &SignedCorpus, ids: &Ids, budget: Budget) -> Result<()> {
        let documents = signed.len();
        let [fixed, each] = self.memory();
        budget.without(fixed + documents * each, || format!("the index of {documents} documents"))?;
        let is_unfit = |document: &DocId| ids.are_given() && (ids.get(*document).is_empty() || serial_of(&ids.get(*document)).is_some());
        if let Some(unfit) = signed.listed().into_iter().find(is_unfit) {
            return Err(Error::Data(format!(
                "id \"{}\": in an index an id is not empty, and not # with a number, which names documents without one",
                ids.get(unfit)
            )));
        }
        let mut seen: Vec<(u128, DocId)> = Vec::new();
        each_chunk(signed, |chunk, first| {
            let urls = chunk.urls(signed.catalogue.store())?;
            let urls = first.onwards().zip(urls).filter(|(document, url)| !url.is_empty() && signed.is_listed(*document));
            seen.extend(urls.map(|(document, url)| (Text::Plain(url.as_bytes()).decoded_digest(), document)));
            Ok(())
        })?;
        seen.sort_unstable();
        let Some(same) = seen.windows(2).find(|same| same[0].0 == same[1].0) else { return Ok(()) };
        let (first, other) = (ids.get(same[0].1), ids.get(same[1].1));
        Err(Error::Data(format!(
            "documents \"{first}\" and \"{other}\" have one URL, and an index holds one document of a URL: leave out the URL field"
        )))
    }

    /// Makes the index of the documents that results list, in the folder `dir`. Unless the index itself keeps the earliest, it
    /// takes the documents in the order of `positions`; `None` is input order.
    pub fn write(self, names: &TableNames<'_>, positions: Option<Vec<Rank>>, dir: &Path, watch: &Watch) -> Result<()> {
        let positions = positions.filter(|_| self.settings.policy == Policy::First);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
        watch.phase("index", names.documents.len() as u64, ProgressUnit::Documents, || {
            let index = Index::create(dir, self.settings, self.passes)?;
            let add = |documents: Vec<Document>| {
                watch.check()?;
                watch.advance(documents.len() as u64);
                index.add(documents, now)?;
                Ok(())
            };
            match positions {
                None => each_chunk(names.signed, |chunk, first| add(documents(names, chunk, first)?))?,
                Some(positions) => {
                    let mut order = names.documents.clone();
                    order.sort_unstable_by_key(|&document| positions[document.index()]);
                    order.chunks(BLOCK).try_for_each(|some| add(documents_of(names, some)?))?;
                }
            }
            Ok(index.compact()?)
        })
    }
}

/// Calls `work` with each chunk of a corpus and the number of its first document.
fn each_chunk(signed: &SignedCorpus, mut work: impl FnMut(&CatalogueChunk, DocId) -> Result<()>) -> Result<()> {
    let mut first = DocId::FIRST;
    for chunk in signed.catalogue.catalogue_chunks() {
        work(chunk, first)?;
        first = first.plus(chunk.len() as u32);
    }
    Ok(())
}

/// Returns the documents of a chunk that results list.
fn documents(names: &TableNames<'_>, chunk: &CatalogueChunk, first: DocId) -> Result<Vec<Document>> {
    let (signed, store) = (names.signed, names.signed.catalogue.store());
    let (reading, places) = chunk.places(store)?;
    let mut urls = chunk.urls(store)?.into_iter();
    let mut buffer = Vec::new();
    let mut documents = Vec::with_capacity(places.len());
    for ((document, place), time) in first.onwards().zip(places).zip(chunk.times(store)?) {
        let url = urls.next().filter(|url| !url.is_empty());
        if signed.is_listed(document) {
            let text = signed.readings[reading as usize].fetch(place, &mut buffer)?.decode().into_owned();
            let id = Some(names.ids.get(document).into_owned());
            documents.push(Document { id, url, time: (time != MISSING).then_some(time), text });
        }
    }
    Ok(documents)
}

/// Returns documents in any order.
fn documents_of(names: &TableNames<'_>, order: &[DocId]) -> Result<Vec<Document>> {
    let catalogue = &names.signed.catalogue;
    let (times, urls) = (catalogue.times_of(order)?, catalogue.urls_of(order)?);
    let document = |((&document, time), url): ((&DocId, i64), Option<String>)| {
        let id = Some(names.ids.get(document).into_owned());
        Ok(Document { id, url, time: (time != MISSING).then_some(time), text: names.signed.read(document)? })
    };
    order.iter().zip(times).zip(urls).map(document).collect()
}
