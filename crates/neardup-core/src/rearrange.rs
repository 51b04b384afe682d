//! Rearranging: the documents of common keys meet by rarer ones, and no pair is lost.
//!
//! Prefix keys are the smallest features by hash, so that they are the same everywhere; but where many documents share a
//! block of text, they share its features, and one key proposes the square of their number. The documents that hold such a
//! key get keys anew, from their features in an order of this run, the rarest first ([`Rarest`]), and its bucket goes. Two
//! documents that met by it alone both get new keys, which propose every pair that reaches the threshold; all others meet
//! as before.

use crate::Result;
use crate::arrange::{Arranged, arrange};
use crate::buckets::Buckets;
use crate::compare::Texts;
use crate::keys::{Keys, Rarest};
use crate::pass::Pass;
use crate::segment::Segment;
use crate::segments::Segments;
use crate::signer::Signer;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Cells of the counting table for every document, while memory allows.
const CELLS: usize = 64;

/// The texts of some documents, in the order given.
pub type TextsOf<'a> = dyn Fn(&[u32]) -> Result<Box<dyn Texts + 'a>> + Sync + 'a;

/// Replaces the buckets of more than [`Pass::common`] documents, within about `memory` bytes.
pub fn rearrange(arranged: Arranged, segments: &Segments, pass: &Pass, texts_of: &TextsOf<'_>, memory: usize) -> Result<Arranged> {
    let (Some(common), Some(threshold)) = (pass.common, pass.keys.complete_from()) else { return Ok(arranged) };
    // So every key that is capped goes; where even the new ones are, they are told.
    let common = pass.cap.map_or(common, |cap| cap.min(common)) as usize;
    let mut rest = Arranged { proposed: arranged.proposed, ..Arranged::default() };
    let mut holds = vec![false; segments.len()];
    for part in &arranged.parts {
        let buckets = Buckets::load(segments.store(), [part])?;
        let mut rare = Buckets::default();
        for bucket in buckets.iter() {
            if bucket.len() <= common {
                rare.push(bucket.iter().copied());
            } else {
                bucket.iter().for_each(|&document| holds[document as usize] = true);
            }
        }
        rest.parts.push(if rare.len() == buckets.len() { *part } else { rare.store(segments.store())? });
    }
    if !holds.contains(&true) {
        return Ok(rest);
    }
    let reread = Rereading { segments, pass, holds: &holds, texts_of };
    let rarest = Rarest::new(threshold);
    let order = Order::count(&reread, memory)?;
    let pass = Pass { keys: Keys::Rarest(rarest.clone()), ..pass.clone() };
    let again = arrange(&reread.sign(&order, &rarest)?, &pass, &|_| true, memory)?;
    rest.parts.extend(again.parts);
    rest.capped = again.capped;
    Ok(rest)
}

/// The order of features by how often they occur among some documents, the rarest first. Features are counted in a table
/// where some share a cell: that makes an order, too, and any will do.
struct Order {
    cells: Vec<AtomicU32>,
}

impl Order {
    fn count(reread: &Rereading<'_, '_>, memory: usize) -> Result<Self> {
        let holders = reread.holds.iter().filter(|&&holds| holds).count();
        let most = (memory / 4 / size_of::<AtomicU32>()).max(1);
        let cells = holders.saturating_mul(CELLS).min(most).next_power_of_two().max(2);
        let order = Order { cells: (0..cells).map(|_| AtomicU32::new(0)).collect() };
        reread.each(|_, features| {
            features.iter().for_each(|&feature| {
                order.cell(feature).fetch_add(1, Ordering::Relaxed);
            });
        })?;
        Ok(order)
    }

    fn cell(&self, feature: u64) -> &AtomicU32 {
        &self.cells[(feature.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.cells.len().trailing_zeros())) as usize]
    }

    fn sort(&self, features: &mut [u64]) {
        features.sort_unstable_by_key(|&feature| (self.cell(feature).load(Ordering::Relaxed), feature));
    }
}

/// Documents whose features are made again from their texts.
struct Rereading<'a, 't> {
    segments: &'a Segments,
    pass: &'a Pass,
    /// Which documents.
    holds: &'a [bool],
    texts_of: &'a TextsOf<'t>,
}

impl Rereading<'_, '_> {
    /// Runs `work` on the place in its segment and the ascending distinct features of every document.
    fn of_segment(&self, signer: &mut Signer, first: u32, segment: &Segment, mut work: impl FnMut(usize, &mut [u64])) -> Result<()> {
        let documents: Vec<u32> = (first..first + segment.len() as u32).filter(|&document| self.holds[document as usize]).collect();
        if documents.is_empty() {
            return Ok(());
        }
        let texts = (self.texts_of)(&documents)?;
        let (mut buffer, mut features) = (Vec::new(), Vec::new());
        for (at, &document) in (0..).zip(&documents) {
            signer.whole(texts.text(at, &mut buffer)?, &mut features);
            work((document - first) as usize, &mut features);
        }
        Ok(())
    }

    fn each(&self, work: impl Fn(usize, &mut [u64]) + Sync) -> Result<()> {
        let segments: Vec<(u32, &Segment)> = self.segments.iter().collect();
        segments
            .into_par_iter()
            .try_for_each_init(|| Signer::new(self.pass), |signer, (first, segment)| self.of_segment(signer, first, segment, &work))
    }

    /// The same documents with other keys; those that do not take part have none.
    fn sign(&self, order: &Order, rarest: &Rarest) -> Result<Segments> {
        let segments: Vec<(u32, &Segment)> = self.segments.iter().collect();
        let signed = segments.into_par_iter().map_init(
            || Signer::new(self.pass),
            |signer, (first, segment)| {
                let (mut keys, mut ends) = (Vec::new(), vec![0; segment.len()]);
                self.of_segment(signer, first, segment, |place, features| {
                    order.sort(features);
                    rarest.keys(features, &mut keys);
                    ends[place] = keys.len() as u32;
                })?;
                // Who has no key ends where the one before ends.
                let mut end = 0;
                for place in &mut ends {
                    end = end.max(*place);
                    *place = end;
                }
                let store = self.segments.store();
                Ok(Segment { keys: store.append(&keys)?, key_ends: store.append(&ends)?, ..*segment })
            },
        );
        Ok(Segments::new(self.segments.store().clone(), signed.collect::<Result<_>>()?))
    }
}
