//! First places: every N-gram that occurs at least twice, with its later places and its first place.

use super::partitioned::{Partitioned, RadixPartitioner};
use super::reference::PassageReference;
use super::shared::{GramHashing, shares};
use crate::Result;
use crate::util::control::PhaseControl;
use crate::util::ids::DocId;
use crate::util::store::Store;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

/// Number of places that are partitioned together.
const GATHERED: usize = 1 << 16;

/// A fingerprint in two lanes, and its place.
pub type Gram = [u64; 3];
/// A later place and the first place of its N-gram.
pub type Later = [u64; 2];

/// Returns a place as a number. The numbers are in input order: by document, then by token.
pub fn place(document: DocId, token: u32) -> u64 {
    u64::from(document.0) << 32 | u64::from(token)
}

/// Returns the document and the first token of a place.
pub fn place_of(place: u64) -> (DocId, u32) {
    (DocId((place >> 32) as u32), place as u32)
}

/// Returns every repeated place of one `part` with its original, partitioned into `blocks` ranges of documents by
/// `block`. The N-grams of the part must be in the order of their places, those of the reference first. Uses about one
/// thread's share of `memory` bytes.
///
/// N-grams are read one by one, so the number of occurrences of an N-gram affects only the number of later places.
pub fn later(
    store: &Store,
    (partitioned, part): (&Partitioned<Gram>, usize),
    reference: PassageReference,
    (blocks, block): (usize, &dyn Fn(DocId) -> usize),
    memory: usize,
    control: &dyn PhaseControl,
) -> Result<Partitioned<Later>> {
    let mut pile = LaterPlaces {
        store,
        partitioner: RadixPartitioner::default(),
        blocks,
        block,
        gathered: Vec::new(),
        partitioned: Partitioned::default(),
    };
    for share in shares(partitioned.count(store, part)?, memory) {
        control.check()?;
        let mut first: HashMap<(u64, u64), u64, GramHashing> = HashMap::default();
        partitioned.each(store, part, |[fingerprint, more, place]| {
            if share.takes(fingerprint) {
                match first.entry((fingerprint, more)) {
                    Slot::Vacant(slot) => {
                        if reference.may_hold_original(place_of(place).0) {
                            slot.insert(place);
                        }
                    }
                    Slot::Occupied(slot) => pile.put([place, *slot.get()])?,
                }
            }
            Ok(())
        })?;
    }
    pile.finish()
}

/// Later places that are not yet in the store.
struct LaterPlaces<'a> {
    store: &'a Store,
    partitioner: RadixPartitioner<Later>,
    blocks: usize,
    block: &'a dyn Fn(DocId) -> usize,
    gathered: Vec<Later>,
    partitioned: Partitioned<Later>,
}

impl LaterPlaces<'_> {
    fn put(&mut self, later: Later) -> std::io::Result<()> {
        self.gathered.push(later);
        if self.gathered.len() < GATHERED { Ok(()) } else { self.partition() }
    }

    fn partition(&mut self) -> std::io::Result<()> {
        let block = |later: Later| (self.block)(place_of(later[0]).0);
        self.partitioned.append(self.partitioner.partition(self.store, &self.gathered, self.blocks, block)?);
        self.gathered.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<Partitioned<Later>> {
        self.partition()?;
        Ok(self.partitioned)
    }
}
