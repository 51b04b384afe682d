//! Rekeying: keys that depend on the whole corpus are cut when all of it is known.
//!
//! Prefix keys are the smallest features by hash, so that they are the same everywhere; but many documents hold the features of a
//! common block of text, and one key proposes the square of their number. A run knows all its documents. It reads them twice more:
//! to count features, and to cut keys from the rarest ([`Rarest`](crate::keys::Rarest)), most of which nobody else holds. The order
//! lives as long as this step, and only what it proposes is kept.

use crate::Result;
use crate::compare::Texts;
use crate::frequencies::{self, Frequencies};
use crate::keys::rarest::Room;
use crate::keys::{Rarest, Rows};
use crate::pass::Pass;
use crate::segment::Segment;
use crate::segments::Segments;
use crate::signer::Signer;
use rayon::prelude::*;

/// Features that are counted at once: so many that every part of the table gets some, and the processor's caches hold them.
const AT_ONCE: usize = 1 << 16;

/// The texts of some documents, in the order given.
pub type TextsOf<'a> = dyn Fn(&[u32]) -> Result<Box<dyn Texts + 'a>> + Sync + 'a;

/// Documents that get keys when all are known.
pub struct Rekey<'a, 't> {
    /// Which kinds of keys, by number.
    pub kinds: &'a [(usize, Rarest)],
    /// What signing left of them.
    pub segments: &'a Segments,
    /// How they were signed.
    pub pass: &'a Pass,
    /// Who takes part; the others get no key.
    pub takes_part: &'a (dyn Fn(u32) -> bool + Sync),
    /// Their texts.
    pub texts_of: &'a TextsOf<'t>,
    /// The most counters of features: fewer than there are features make keys that more documents hold, and lose nothing.
    pub counters: usize,
}

impl Rekey<'_, '_> {
    /// The bytes of memory that it takes.
    pub fn bytes(&self) -> Result<usize> {
        Ok(if self.kinds.is_empty() { 0 } else { Frequencies::bytes(self.features()?.min(self.counters)) })
    }

    /// The same documents with these keys; None when there are no such kinds.
    pub fn run(&self) -> Result<Option<Segments>> {
        if self.kinds.is_empty() {
            return Ok(None);
        }
        let frequencies = self.count()?;
        let all: Vec<(u32, &Segment)> = self.segments.iter().collect();
        let fresh = || (Signer::new(self.pass), Room::default());
        let rekeyed = all.into_par_iter().map_init(fresh, |(signer, room), (first, segment)| {
            if segment.is_empty() {
                return Ok(segment.clone());
            }
            let mut all = vec![Rows::default(); self.kinds.len()];
            self.each(signer, first, segment, |features| {
                for ((_, rarest), rows) in self.kinds.iter().zip(&mut all) {
                    features.iter().for_each(|features| rarest.cut(features, &frequencies, room, rows));
                    rows.ends.push(rows.keys.len() as u32);
                }
            })?;
            self.kinds.iter().zip(&all).try_fold(segment.clone(), |segment, ((kind, _), rows)| {
                Ok(segment.with_rows(*kind, rows.store(self.segments.store(), segment.len())?))
            })
        });
        Ok(Some(Segments::new(self.segments.store().clone(), rekeyed.collect::<Result<_>>()?)))
    }

    /// How many features the documents have, with repeats.
    fn features(&self) -> Result<usize> {
        let features = (0..).zip(self.segments.column(|segment| segment.features)?);
        Ok(features.filter(|&(document, _)| (self.takes_part)(document)).map(|(_, features)| features as usize).sum())
    }

    fn count(&self) -> Result<Frequencies> {
        let frequencies = Frequencies::new(self.features()?.min(self.counters));
        let all: Vec<(u32, &Segment)> = self.segments.iter().collect();
        let fresh = || (Signer::new(self.pass), Vec::new(), frequencies::Room::default());
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

    /// Runs `work` on the features of every document of a segment in order; None for one that takes no part.
    fn each(&self, signer: &mut Signer, first: u32, segment: &Segment, mut work: impl FnMut(Option<&[u64]>)) -> Result<()> {
        let numbers = first..first + segment.len() as u32;
        let documents: Vec<u32> = numbers.clone().filter(|&document| (self.takes_part)(document)).collect();
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
