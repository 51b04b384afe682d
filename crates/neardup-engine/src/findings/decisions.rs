//! Verdicts: which documents go, and for which they go.

use crate::Result;
use crate::documents::copy_groups::CopyGroups;
use crate::findings::pairs::{PairRow, ScoredPair, StoredPairs};
use crate::findings::pass_context::PassContext;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::util::ids::DocId;
use neardup_core::util::rank_bitmap::RankBitmap;
use neardup_core::util::store::{List, Store};
use rayon::prelude::*;

/// Rows that are written at once.
const BLOCK: usize = 1 << 16;

/// A dropped document, its original, and the evidence (left is the dropped one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DroppedDocument {
    /// The dropped document.
    pub document: DocId,
    /// The document it met, which was kept by then; a later pass may have dropped it.
    pub original: DocId,
    /// Why.
    pub rule: Rule,
    /// The number of the pass that dropped it.
    pub pass: u32,
    /// What they share.
    pub overlap: Overlap,
    /// What decided, where that is another number.
    pub value: PairValue,
}

impl From<DroppedDocument> for ScoredPair {
    fn from(DroppedDocument { document, original, rule, pass, overlap, value }: DroppedDocument) -> ScoredPair {
        ScoredPair { left: document, right: original, rule, pass, overlap, value }
    }
}

impl From<ScoredPair> for DroppedDocument {
    fn from(ScoredPair { left, right, rule, pass, overlap, value }: ScoredPair) -> DroppedDocument {
        DroppedDocument { document: left, original: right, rule, pass, overlap, value }
    }
}

/// What a pass drops, ascending. Brings the copies back: a copy goes with its first, or for it. `followers` are documents
/// that were compared and found to follow; those of the reference are kept, only their copies in the input go.
pub fn decide(turn: &PassContext<'_>, groups: &CopyGroups, mut followers: Vec<DroppedDocument>) -> Result<Vec<DroppedDocument>> {
    let signed = turn.signed;
    // Batch after batch, each nearly always in order: such runs are merged by a stable sort.
    followers.sort_by_key(|dropped| dropped.document);
    let following = RankBitmap::new(signed.len(), followers.iter().map(|dropped| dropped.document.0));
    let copies: Vec<(DocId, DocId)> = groups.copies.pairs.iter().filter(|pair| !signed.is_reference(pair.1)).copied().collect();
    let mut firsts: Vec<DocId> = copies.iter().map(|pair| pair.0).filter(|&first| following.rank(first.0).is_none()).collect();
    firsts.dedup();
    let leading = RankBitmap::new(signed.len(), firsts.iter().map(|first| first.0));
    let sizes = sizes(turn, &firsts, &leading, &followers)?;
    let verdict = |&(first, document): &(DocId, DocId)| match (following.rank(first.0), leading.rank(first.0)) {
        (Some(at), _) => DroppedDocument { document, ..followers[at] },
        (None, at) => {
            let size = at.map_or(0, |at| sizes[at]);
            let overlap = Overlap { shared: size, left: size, right: size };
            let (rule, pass) = (groups.rule(first, first, document), turn.number as u32);
            DroppedDocument { document, original: first, rule, pass, overlap, value: PairValue::NONE }
        }
    };
    // Every document goes to its place at once: nothing is left to sort.
    let input: Vec<&DroppedDocument> = followers.iter().filter(|follower| !signed.is_reference(follower.document)).collect();
    let documents = || copies.iter().map(|copy| copy.1).chain(input.iter().map(|follower| follower.document));
    let places = RankBitmap::new(signed.len(), documents().map(|document| document.0));
    let mut whose = vec![0u32; copies.len() + input.len()];
    for (number, document) in (0..).zip(documents()) {
        whose[places.rank(document.0).unwrap_or(0)] = number;
    }
    let decided = |number: usize| copies.get(number).map_or_else(|| *input[number - copies.len()], verdict);
    Ok(whose.into_par_iter().map(|number| decided(number as usize)).collect())
}

/// The number of features of each of `firsts`, ascending, which `leading` marks. Those that others followed are in the
/// evidence; the texts of the rest are read again.
fn sizes(turn: &PassContext<'_>, firsts: &[DocId], leading: &RankBitmap, followers: &[DroppedDocument]) -> Result<Vec<u32>> {
    let mut sizes = vec![0; firsts.len()];
    for follower in followers {
        if let Some(at) = leading.rank(follower.original.0) {
            sizes[at] = follower.overlap.right;
        }
    }
    let unknown: Vec<DocId> = firsts.iter().zip(&sizes).filter(|(_, size)| **size == 0).map(|(&first, _)| first).collect();
    let mut found = turn.signed.sizes(turn.pass, &unknown)?.into_iter();
    sizes.iter_mut().filter(|size| **size == 0).zip(&mut found).for_each(|(size, found)| *size = found);
    Ok(sizes)
}

/// Writes dropped documents to the store.
pub fn store(dropped: &[DroppedDocument], store: &Store) -> Result<List<PairRow>> {
    let mut list = List::default();
    for block in dropped.chunks(BLOCK) {
        let rows: Vec<PairRow> = block.iter().map(|&dropped| ScoredPair::from(dropped).into()).collect();
        list.append(store, &rows).map_err(neardup_core::Error::from)?;
    }
    Ok(list)
}

/// Reads dropped documents back.
pub fn load(store: &Store, rows: &List<PairRow>) -> Result<Vec<DroppedDocument>> {
    let mut dropped = Vec::with_capacity(rows.len());
    StoredPairs { store, rows }.each(|pair| dropped.push(pair.into()))?;
    Ok(dropped)
}

/// The dropped documents of a run, by all its passes; all others are kept.
pub struct DroppedDocuments {
    /// Ascending by document.
    pub dropped: Vec<DroppedDocument>,
    /// The last pass that dropped any: what it kept is kept for good.
    last: u32,
    places: RankBitmap,
    group_sizes: Vec<u32>,
}

impl DroppedDocuments {
    /// The verdicts on `documents`, of which those in `dropped`, ascending, are dropped.
    pub fn new(dropped: Vec<DroppedDocument>, documents: usize) -> Self {
        let last = dropped.iter().map(|dropped| dropped.pass).max().unwrap_or(0);
        let places = RankBitmap::new(documents, dropped.iter().map(|dropped| dropped.document.0));
        let mut verdicts = DroppedDocuments { dropped, last, places, group_sizes: Vec::new() };
        let mut group_sizes = vec![1; documents];
        verdicts.dropped.iter().for_each(|dropped| group_sizes[verdicts.leader_of(dropped).index()] += 1);
        verdicts.group_sizes = group_sizes;
        verdicts
    }

    /// The evidence against a document; None when it is kept.
    pub fn get(&self, document: DocId) -> Option<&DroppedDocument> {
        self.places.rank(document.0).map(|place| &self.dropped[place])
    }

    /// The document that is kept in the end for a dropped one: its original, or what that was dropped for later.
    pub fn leader_of(&self, dropped: &DroppedDocument) -> DocId {
        let mut last = dropped;
        while last.pass < self.last
            && let Some(later) = self.get(last.original)
        {
            last = later;
        }
        last.original
    }

    /// What a dropped document shares with its leader; None where it met another, which was dropped later.
    pub fn met_leader(&self, dropped: &DroppedDocument) -> Option<Overlap> {
        (self.leader_of(dropped) == dropped.original).then_some(dropped.overlap)
    }

    /// How many documents a kept one represents, itself included.
    pub fn group_size(&self, leader: DocId) -> u32 {
        self.group_sizes[leader.index()]
    }
}
