//! Verdicts: which documents go, and for which they go.

use crate::Result;
use crate::groups::Groups;
use crate::pairs::{Pairs, Row, Scored};
use crate::rule::Rule;
use crate::signed::Signed;
use neardup_core::measures::Overlap;
use neardup_core::pass::Pass;
use neardup_core::store::{List, Store};

/// Rows that are written at once.
const BLOCK: usize = 1 << 16;

/// A dropped document, its original, and the evidence (left is the dropped one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The dropped document.
    pub document: u32,
    /// The kept document it duplicates.
    pub original: u32,
    /// Why.
    pub rule: Rule,
    /// What they share.
    pub overlap: Overlap,
}

impl From<Dropped> for Scored {
    fn from(Dropped { document, original, rule, overlap }: Dropped) -> Scored {
        Scored { left: document, right: original, rule, overlap }
    }
}

impl From<Scored> for Dropped {
    fn from(Scored { left, right, rule, overlap }: Scored) -> Dropped {
        Dropped { document: left, original: right, rule, overlap }
    }
}

/// The dropped documents of a run, ascending; all others are kept.
pub struct Verdicts {
    /// Ascending by document.
    pub dropped: Vec<Dropped>,
    group_sizes: Vec<u32>,
}

impl Verdicts {
    /// Brings the copies back: a copy goes with its first, or for it. `followers` are documents that were compared and
    /// found to follow; those of the reference are kept, only their copies in the input go.
    pub fn new(signed: &Signed, pass: &Pass, groups: &Groups, mut followers: Vec<Dropped>) -> Result<Self> {
        followers.sort_unstable_by_key(|dropped| dropped.document);
        let follower_of =
            |document: u32| followers.binary_search_by_key(&document, |dropped| dropped.document).ok().map(|index| followers[index]);
        let mut firsts: Vec<u32> = groups.copies.pairs.iter().filter(|pair| !signed.is_reference(pair.1)).map(|pair| pair.0).collect();
        firsts.dedup();
        firsts.retain(|&first| follower_of(first).is_none());
        let sizes = sizes(signed, pass, &firsts, &followers)?;
        let mut dropped = Vec::with_capacity(followers.len() + groups.copies.pairs.len());
        for &(first, document) in groups.copies.pairs.iter().filter(|pair| !signed.is_reference(pair.1)) {
            dropped.push(match (follower_of(first), firsts.binary_search(&first)) {
                (Some(follower), _) => Dropped { document, ..follower },
                (None, at) => {
                    let size = at.map_or(0, |at| sizes[at]);
                    let overlap = Overlap { shared: size, left: size, right: size };
                    Dropped { document, original: first, rule: groups.rule(first, first, document), overlap }
                }
            });
        }
        followers.retain(|follower| !signed.is_reference(follower.document));
        dropped.append(&mut followers);
        dropped.sort_unstable_by_key(|dropped| dropped.document);
        Ok(Verdicts::of(dropped, signed.len()))
    }

    fn of(dropped: Vec<Dropped>, documents: usize) -> Self {
        let mut group_sizes = vec![1; documents];
        dropped.iter().for_each(|dropped| group_sizes[dropped.original as usize] += 1);
        Verdicts { dropped, group_sizes }
    }

    /// Writes them to the store.
    pub fn store(&self, store: &Store) -> Result<List<Row>> {
        let mut list = List::default();
        for block in self.dropped.chunks(BLOCK) {
            let rows: Vec<Row> = block.iter().map(|&dropped| Scored::from(dropped).into()).collect();
            list.append(store, &rows).map_err(neardup_core::Error::from)?;
        }
        Ok(list)
    }

    /// Reads the verdicts on `documents` back.
    pub fn load(store: &Store, rows: &List<Row>, documents: usize) -> Result<Self> {
        let mut dropped = Vec::with_capacity(rows.len());
        Pairs { store, rows }.each(|pair| dropped.push(pair.into()))?;
        Ok(Verdicts::of(dropped, documents))
    }

    /// The evidence against a document; None when it is kept.
    pub fn get(&self, document: u32) -> Option<&Dropped> {
        self.dropped.binary_search_by_key(&document, |dropped| dropped.document).ok().map(|index| &self.dropped[index])
    }

    /// The original of a document: itself when it is kept.
    pub fn original(&self, document: u32) -> u32 {
        self.get(document).map_or(document, |dropped| dropped.original)
    }

    /// How many documents a kept one stands for, itself included.
    pub fn group_size(&self, original: u32) -> u32 {
        self.group_sizes[original as usize]
    }
}

/// The number of features of each of `firsts`, ascending. Those that others followed are in the evidence; the texts of
/// the rest are read again.
fn sizes(signed: &Signed, pass: &Pass, firsts: &[u32], followers: &[Dropped]) -> Result<Vec<u32>> {
    let mut sizes = vec![0; firsts.len()];
    for follower in followers {
        if let Ok(at) = firsts.binary_search(&follower.original) {
            sizes[at] = follower.overlap.right;
        }
    }
    let unknown: Vec<u32> = firsts.iter().zip(&sizes).filter(|(_, size)| **size == 0).map(|(&first, _)| first).collect();
    let mut found = signed.sizes(pass, &unknown)?.into_iter();
    sizes.iter_mut().filter(|size| **size == 0).zip(&mut found).for_each(|(size, found)| *size = found);
    Ok(sizes)
}
