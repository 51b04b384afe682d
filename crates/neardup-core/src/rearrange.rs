//! Rearranging: the documents of common keys meet by rarer ones, and no pair is lost.
//!
//! Where many documents share a block of text, they share the keys that are cut from it, and one key proposes the square of
//! their number. The documents that hold such a key get keys anew, from their features in an order of this run, the rarest
//! first ([`Rarest`]), and its bucket goes. Two documents that met by it alone both get new keys, which propose every pair
//! that reaches the threshold; all others meet as before.

use crate::Result;
use crate::arrange::{Arranged, arrange_kind};
use crate::buckets::Buckets;
use crate::compare::Texts;
use crate::keys::{Keys, Rarest, Rows};
use crate::pass::Pass;
use crate::segment::Segment;
use crate::segments::Segments;
use crate::signer::Signer;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Cells of the counting table for every document. Memory has no say in it: where a list is cut short, the order decides what
/// is left.
const CELLS: usize = 4;
/// And no more than so many in all: 128 MiB.
const MOST_CELLS: usize = 1 << 25;

/// The texts of some documents, in the order given.
pub type TextsOf<'a> = dyn Fn(&[u32]) -> Result<Box<dyn Texts + 'a>> + Sync + 'a;

/// Replaces the buckets of more than [`crate::keys::Common::above`] documents, within about `memory` bytes.
pub fn rearrange(arranged: Arranged, segments: &Segments, pass: &Pass, texts_of: &TextsOf<'_>, memory: usize) -> Result<Arranged> {
    let mut arranged = arranged;
    let mut table = 0;
    for (number, kind) in pass.kinds.iter().enumerate() {
        if let Some(common) = kind.common {
            // So every key that is capped goes; where even the new ones are, they are told.
            let above = kind.cap.map_or(common.above, |cap| cap.min(common.above)) as usize;
            arranged.capped.retain(|capped| !(table..table + kind.keys.tables()).contains(&capped.table));
            let holds = take_common(&mut arranged, segments, number, above)?;
            if holds.contains(&true) {
                let reread = Rereading { segments, pass, holds: &holds, texts_of };
                let (order, rarest) = (Order::count(&reread)?, Rarest::new(common.threshold));
                let signed = reread.sign(&order, &rarest, number)?;
                let mut pass = pass.clone();
                pass.kinds[number].keys = Keys::Rarest(rarest);
                arranged.append(arrange_kind(&signed, &pass, number, &|_| true, memory)?, table);
            }
        }
        table += kind.keys.tables();
    }
    arranged.parts.sort_by_key(|part| part.kind);
    arranged.capped.sort_unstable();
    Ok(arranged)
}

/// Takes the buckets of more than `common` documents out of those of one kind. Returns which documents stood in one.
fn take_common(arranged: &mut Arranged, segments: &Segments, kind: usize, common: usize) -> Result<Vec<bool>> {
    let mut holds = vec![false; segments.len()];
    for part in arranged.parts.iter_mut().filter(|part| part.kind == kind && part.largest > common) {
        let buckets = Buckets::load(segments.store(), [&*part])?;
        let mut rare = Buckets::default();
        for bucket in buckets.iter() {
            if bucket.len() <= common {
                rare.push(bucket.iter().copied());
            } else {
                bucket.iter().for_each(|&document| holds[document as usize] = true);
            }
        }
        *part = rare.store(segments.store(), kind, part.table)?;
    }
    Ok(holds)
}

/// The order of features by how often they occur among some documents, the rarest first. Features are counted in a table
/// where some share a cell: that makes an order, too, and any will do.
struct Order {
    cells: Vec<AtomicU32>,
}

impl Order {
    fn count(reread: &Rereading<'_, '_>) -> Result<Self> {
        let holders = reread.holds.iter().filter(|&&holds| holds).count();
        let cells = (holders * CELLS).next_power_of_two().min(MOST_CELLS);
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

    /// The same documents with other keys of one kind; those that do not take part have none.
    fn sign(&self, order: &Order, rarest: &Rarest, kind: usize) -> Result<Segments> {
        let segments: Vec<(u32, &Segment)> = self.segments.iter().collect();
        let signed = segments.into_par_iter().map_init(
            || Signer::new(self.pass),
            |signer, (first, segment)| {
                if segment.is_empty() {
                    return Ok(segment.clone());
                }
                let mut rows = Rows { keys: Vec::new(), ends: vec![0; segment.len()] };
                self.of_segment(signer, first, segment, |place, features| {
                    order.sort(features);
                    rarest.keys(features, &mut rows.keys);
                    rows.ends[place] = rows.keys.len() as u32;
                })?;
                // Who has no key ends where the one before ends.
                let mut end = 0;
                for place in &mut rows.ends {
                    end = end.max(*place);
                    *place = end;
                }
                Ok(segment.with_rows(kind, rows.store(self.segments.store(), segment.len())?))
            },
        );
        Ok(Segments::new(self.segments.store().clone(), signed.collect::<Result<_>>()?))
    }
}
