//! Late keys: keys that depend on the whole corpus are cut after all documents are known.
//!
//! Prefix keys are the smallest features by hash, so they are the same in every corpus. But many documents contain the
//! features of a common block of text, and one key proposes as many pairs as the square of their number. A run knows all
//! its documents. It reads them twice more: to count features, and to cut keys from the rarest ones
//! ([`Rarest`]), most of which no other document contains. The order of features exists only during
//! this step; only the pairs that it proposes are kept.

use crate::Result;
use crate::candidates::texts::TextAccess;
use crate::keys::rarest::RarestScratch;
use crate::keys::rows::StoredKeys;
use crate::keys::{ChunkKeys, Rarest};
use crate::pass::compiled::CompiledPass;
use crate::signing::segment::StoredChunk;
use crate::signing::segments::Segments;
use crate::signing::signer::Signer;
use crate::terms::frequencies::{self, Frequencies};
use crate::util::ids::DocId;
use rayon::prelude::*;

/// Number of features counted at once. It is large enough that every part of the table gets some, and small enough that the
/// features fit in the processor's caches.
const AT_ONCE: usize = 1 << 16;

/// One in this many chunks is sampled to estimate the size of all keys.
const EVERY: usize = 16;

/// Opens the texts of the given documents, in the order given.
pub type OpenTexts<'a> = dyn Fn(&[DocId]) -> Result<Box<dyn TextAccess + 'a>> + Sync + 'a;

/// Documents whose keys are cut after all are known.
pub struct LateKeys<'a, 't> {
    /// The kinds of keys, with their numbers.
    pub kinds: &'a [(usize, Rarest)],
    /// The signed documents.
    pub segments: &'a Segments,
    /// The pass with which they were signed.
    pub pass: &'a CompiledPass,
    /// Whether a document takes part; the others get no key.
    pub takes_part: &'a (dyn Fn(DocId) -> bool + Sync),
    /// Opens their texts.
    pub texts_of: &'a OpenTexts<'t>,
    /// Maximum number of counters. If there are fewer counters than features, more documents share a key, but no pair is
    /// lost.
    pub counters: usize,
}

impl<'t> LateKeys<'_, 't> {
    /// Returns the memory that counting takes, in bytes.
    pub fn bytes(&self) -> Result<usize> {
        Ok(if self.kinds.is_empty() { 0 } else { Frequencies::bytes(self.features()?.min(self.counters)) })
    }

    /// Returns the same documents with these keys, or `None` if `kinds` is empty.
    pub fn run(&self) -> Result<Option<Segments>> {
        self.counted()?.map(CountedDocuments::cut).transpose()
    }

    /// Counts the features. Returns `None` if `kinds` is empty.
    pub fn counted(&self) -> Result<Option<CountedDocuments<'_, 't>>> {
        if self.kinds.is_empty() {
            return Ok(None);
        }
        let chunks: Vec<(DocId, &StoredChunk)> = self.segments.iter().collect();
        Ok(Some(CountedDocuments { rekey: self, frequencies: self.count()?, cut: vec![None; chunks.len()], chunks }))
    }

    /// Returns the number of features of the documents, with repeats.
    fn features(&self) -> Result<usize> {
        let features = DocId::FIRST.onwards().zip(self.segments.column(|segment| segment.features)?);
        Ok(features.filter(|&(document, _)| (self.takes_part)(document)).map(|(_, features)| features as usize).sum())
    }

    fn count(&self) -> Result<Frequencies> {
        let frequencies = Frequencies::new(self.features()?.min(self.counters));
        let all: Vec<(DocId, &StoredChunk)> = self.segments.iter().collect();
        let fresh = || (Signer::new(self.pass), Vec::new(), frequencies::FrequencyScratch::default());
        all.into_par_iter().try_for_each_init(fresh, |(signer, counted, room), (first, segment)| {
            self.each(signer, first, segment, |features| {
                counted.extend_from_slice(features.unwrap_or_default());
                if counted.len() >= AT_ONCE {
                    frequencies.count(counted, room);
                    counted.clear();
                }
            })?;
            frequencies.count(counted, room);
            counted.clear();
            Ok::<_, crate::Error>(())
        })?;
        Ok(frequencies)
    }

    /// Runs `work` on the features of every document of a segment, in order, with `None` for a document that takes no part.
    fn each(&self, signer: &mut Signer, first: DocId, segment: &StoredChunk, mut work: impl FnMut(Option<&[u64]>)) -> Result<()> {
        let numbers = first.onwards().take(segment.len());
        let documents: Vec<DocId> = numbers.clone().filter(|&document| (self.takes_part)(document)).collect();
        let (texts, mut buffer, mut at) = ((self.texts_of)(&documents)?, Vec::new(), 0);
        for document in numbers {
            if documents.get(at) == Some(&document) {
                work(Some(signer.features(texts.text(at as u32, &mut buffer)?)));
                at += 1;
            } else {
                work(None);
            }
        }
        Ok(())
    }
}

/// Documents whose features are counted, so that their keys can be cut.
pub struct CountedDocuments<'r, 't> {
    rekey: &'r LateKeys<'r, 't>,
    frequencies: Frequencies,
    chunks: Vec<(DocId, &'r StoredChunk)>,
    /// The chunks whose keys are cut already.
    cut: Vec<Option<StoredChunk>>,
}

impl CountedDocuments<'_, '_> {
    /// Cuts the keys of some chunks, spread over all, and returns an estimate of the size of all keys in bytes.
    pub fn sample(&mut self) -> Result<u64> {
        let count = self.chunks.len();
        let some: Vec<usize> = (0..count).skip((count / 2).min(EVERY / 2)).step_by(EVERY).collect();
        let features = |at: usize| {
            let features = self.rekey.segments.store().all(self.chunks[at].1.features)?;
            Ok(features.into_iter().map(u64::from).sum::<u64>())
        };
        let seen = some.iter().map(|&at| features(at)).sum::<Result<u64>>()?;
        let all = (0..self.chunks.len()).map(features).sum::<Result<u64>>()?;
        self.cut_some(&some)?;
        let taken: usize = some.iter().filter_map(|&at| self.cut[at].as_ref()).map(|segment| self.key_bytes(segment)).sum();
        Ok((taken as u128 * u128::from(all) / u128::from(seen.max(1))) as u64)
    }

    /// Returns the documents with their keys.
    pub fn cut(mut self) -> Result<Segments> {
        let others: Vec<usize> = (0..self.chunks.len()).filter(|&at| self.cut[at].is_none()).collect();
        self.cut_some(&others)?;
        Ok(Segments::new(self.rekey.segments.store().clone(), self.cut.into_iter().flatten().collect()))
    }

    fn key_bytes(&self, segment: &StoredChunk) -> usize {
        self.rekey.kinds.iter().filter_map(|(kind, _)| segment.rows(*kind)).map(StoredKeys::bytes).sum()
    }

    fn cut_some(&mut self, some: &[usize]) -> Result<()> {
        let CountedDocuments { rekey, frequencies, chunks, .. } = &*self;
        let fresh = || (Signer::new(rekey.pass), RarestScratch::default());
        let rekeyed = some.par_iter().map_init(fresh, |(signer, room), &at| {
            let (first, segment) = chunks[at];
            if segment.is_empty() {
                return Ok(segment.clone());
            }
            let mut all = vec![ChunkKeys::default(); rekey.kinds.len()];
            rekey.each(signer, first, segment, |features| {
                for ((_, rarest), rows) in rekey.kinds.iter().zip(&mut all) {
                    features.iter().for_each(|features| rarest.cut(features, frequencies, room, rows));
                    rows.ends.push(rows.keys.len() as u32);
                }
            })?;
            rekey.kinds.iter().zip(&all).try_fold(segment.clone(), |segment, ((kind, _), rows)| {
                Ok(segment.with_rows(*kind, rows.store(rekey.segments.store(), segment.len())?))
            })
        });
        let rekeyed: Vec<StoredChunk> = rekeyed.collect::<Result<_>>()?;
        some.iter().zip(rekeyed).for_each(|(&at, segment)| self.cut[at] = Some(segment));
        Ok(())
    }
}
