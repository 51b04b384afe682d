//! Frames: the shingles that too many documents of one host contain. They are found before anything is signed.
//!
//! The first reading stores the host of every document and the digest of its text. A sample of every host's documents is read
//! again, and its shingles are counted. So the work grows with the hosts, and no faster than with the documents.

use crate::documents::catalogue::Catalogue;
use crate::job::lexicons::{LexiconTask, to_count};
use crate::progress::{ProgressUnit, Watch};
use crate::resources::budget::Budget;
use crate::signing::reread::Reread;
use crate::{Error, Job, Result};
use neardup_core::signing::counting::{Counter, Counting};
use neardup_core::signing::hosts::{Host, HostPage, join, sample};
use neardup_core::signing::segment::StoredChunk;
use neardup_core::terms::lexicon::Lexicon;
use neardup_core::util::control::PhaseControl;
use neardup_core::util::ids::DocId;
use neardup_core::util::ratio::Ratio;
use neardup_core::util::store::Store;
use neardup_corpus::host_name;
use neardup_corpus::{Source, TextPlace};
use neardup_text::Text;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that a document takes in memory while the hosts are sampled: its host and text, and the place of the text.
const PER_DOCUMENT: usize = size_of::<HostPage>() + 2 * size_of::<(u32, TextPlace)>();
/// Bytes that a shingle of a frame takes in memory until all frames are joined.
const PER_SHINGLE: usize = 72;
/// Least number of shingles that are counted at once.
const LEAST: usize = 1 << 16;

/// Why a corpus without hosts is refused.
pub const NO_HOST: &str = "no document has a URL with a host: is another field that of the URLs?";

/// A corpus that was read and whose frames are to be found.
pub struct Framing<'a> {
    /// The shingles to count.
    pub counting: &'a Counting,
    /// A shingle is frame if more than this share of a host's documents contain it.
    pub share: Ratio,
    /// The documents, with their URLs and texts.
    pub again: &'a Reread<'a>,
    /// Digests of the texts, chunk by chunk.
    pub digests: &'a [StoredChunk],
    /// Memory budget.
    pub budget: Budget,
    /// Store of the columns.
    pub store: &'a Arc<Store>,
    /// Receives the progress, and may stop the run.
    pub watch: &'a Watch,
}

/// Refuses a job whose documents cannot have a host, before anything is read.
pub fn check<'s>(job: &Job<'_>, mut sources: impl Iterator<Item = &'s Source>) -> Result<()> {
    let has_urls = job.fields.url.is_some() || sources.any(|source| source.format.is_archive());
    for pass in job.scheme.passes() {
        if matches!(to_count(pass)?, Some(LexiconTask::Frame(..))) && !has_urls {
            return Err(without_hosts("no field with URLs is named: name it, as --url-field url"));
        }
    }
    Ok(())
}

/// Returns the error that documents have no hosts.
pub fn without_hosts(why: &str) -> Error {
    Error::Usage(format!("scheme: frame= finds hosts by their URLs, and {why}"))
}

impl Framing<'_> {
    /// Finds the frames of all hosts.
    ///
    /// # Errors
    /// [`Error::Usage`] if no document has a host.
    pub fn find(&self) -> Result<Lexicon> {
        let catalogue = Catalogue::new(Arc::clone(self.store), self.again.catalogue_chunks.to_vec(), Vec::new(), false);
        let pages = self.pages(&catalogue)?;
        if pages.is_empty() && catalogue.len() > 0 {
            return Err(without_hosts(NO_HOST));
        }
        let hosts = sample(pages);
        let documents = hosts.iter().map(|host| host.sample.len() as u64).sum();
        let frames = self.watch.phase("frame", documents, ProgressUnit::Documents, || self.count(&hosts, &catalogue))?;
        join(frames.concat(), documents, self.counting.counted()).map_err(Error::Usage)
    }

    /// Returns the documents that have a host.
    fn pages(&self, catalogue: &Catalogue) -> Result<Vec<HostPage>> {
        self.budget.without(catalogue.len() * PER_DOCUMENT, || format!("the hosts of {} documents", catalogue.len()))?;
        let (mut pages, mut first) = (Vec::new(), DocId::FIRST);
        for (chunk, digests) in catalogue.catalogue_chunks().iter().zip(self.digests) {
            let texts = self.store.all(digests.raw).map_err(neardup_core::Error::from)?;
            for (document, (url, text)) in first.onwards().zip(chunk.urls(self.store)?.iter().zip(texts)) {
                if let Some(name) = host_name(url).filter(|_| (self.again.seen)(document)) {
                    let host = Text::Plain(name.as_bytes()).digest() as u64;
                    pages.push(HostPage { host, text: text as u64, document });
                }
            }
            first = first.plus(chunk.len() as u32);
        }
        Ok(pages)
    }

    /// Returns the frame of every host.
    fn count(&self, hosts: &[Host], catalogue: &Catalogue) -> Result<Vec<Vec<(u64, u32)>>> {
        let documents: Vec<DocId> = hosts.iter().flat_map(|host| host.sample.iter().map(|page| page.document)).collect();
        let places = catalogue.places(&documents)?;
        let ends = hosts.iter().scan(0, |end, host| {
            *end += host.sample.len();
            Some(*end)
        });
        let hosts: Vec<(&Host, &[(u32, TextPlace)])> =
            hosts.iter().zip(ends).map(|(host, end)| (host, &places[end - host.sample.len()..end])).collect();
        let (all, fresh) = (AtomicUsize::new(0), || (Counter::new(self.counting), Vec::new(), Vec::new()));
        let frames = hosts.par_iter().map_init(fresh, |(counter, buffer, shingles), (host, places)| {
            self.watch.check()?;
            let frame = self.frame(host, places, counter, buffer, shingles)?;
            let sum = all.fetch_add(frame.len(), Ordering::Relaxed) + frame.len();
            self.budget.without(sum * PER_SHINGLE, || format!("the frames of {} hosts", hosts.len()))?;
            self.watch.advance(places.len() as u64);
            Ok(frame)
        });
        frames.collect()
    }

    /// Returns the frame of one host.
    ///
    /// A text has at most as many shingles as bytes. If the shingles of all texts do not fit in memory, they are counted in
    /// parts, and each text is read once for every part.
    fn frame(
        &self,
        host: &Host,
        places: &[(u32, TextPlace)],
        counter: &mut Counter,
        buffer: &mut Vec<u8>,
        shingles: &mut Vec<u64>,
    ) -> Result<Vec<(u64, u32)>> {
        let most = (self.budget.room() / (2 * size_of::<u64>() * rayon::current_num_threads())).max(LEAST);
        let parts = places.iter().map(|(_, place)| place.len()).sum::<usize>().div_ceil(most) as u64;
        let mut frame = Vec::new();
        for part in 0..parts {
            shingles.clear();
            for &(reading, place) in places {
                let text = self.again.readings[reading as usize].fetch(place, buffer)?;
                shingles.extend(counter.read(text).iter().filter(|&shingle| shingle % parts == part));
            }
            shingles.sort_unstable();
            frame.append(&mut host.frame(shingles, self.share));
        }
        Ok(frame)
    }
}
