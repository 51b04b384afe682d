//! Verdicts: which documents are dropped, and for which originals.

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

/// Number of rows that are written at once.
const BLOCK: usize = 1 << 16;

/// A dropped document, its original, and the evidence (left is the dropped one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DroppedDocument {
    /// The dropped document.
    pub document: DocId,
    /// The document that it was checked against. That was kept by then; a later pass may have dropped it.
    pub original: DocId,
    /// The rule that holds between them.
    pub rule: Rule,
    /// Number of the pass that dropped it, from 0.
    pub pass: u32,
    /// Number of features that each has and that both share.
    pub overlap: Overlap,
    /// The value that decided, if that is not the overlap.
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

/// Returns the documents that a pass drops, ascending. Includes exact copies: a copy is dropped with its first, or for it.
/// `followers` are documents that were compared and found to follow. Those of the reference are kept; only their copies in the
/// input are dropped.
pub fn decide(context: &PassContext<'_>, groups: &CopyGroups, mut followers: Vec<DroppedDocument>) -> Result<Vec<DroppedDocument>> {
    let signed = context.signed;
    // The followers are in batches, each nearly always sorted: a stable sort merges such runs.
    followers.sort_by_key(|dropped| dropped.document);
    let following = RankBitmap::new(signed.len(), followers.iter().map(|dropped| dropped.document.0));
    // A copy is dropped with its first or, if their pair counts, for it.
    let is_dropped =
        |&&(first, copy): &&(DocId, DocId)| !signed.is_reference(copy) && (following.rank(first.0).is_some() || signed.counts(first, copy));
    let copies: Vec<(DocId, DocId)> = groups.copies.pairs.iter().filter(is_dropped).copied().collect();
    let mut firsts: Vec<DocId> = copies.iter().map(|pair| pair.0).filter(|&first| following.rank(first.0).is_none()).collect();
    firsts.dedup();
    let leading = RankBitmap::new(signed.len(), firsts.iter().map(|first| first.0));
    let sizes = sizes(context, &firsts, &leading, &followers)?;
    let verdict = |&(first, document): &(DocId, DocId)| match (following.rank(first.0), leading.rank(first.0)) {
        (Some(at), _) => {
            let follower = followers[at];
            let rule = groups.rule_of_kin((first, document), (follower.original, follower.original)).unwrap_or(follower.rule);
            DroppedDocument { document, rule, ..follower }
        }
        (None, at) => {
            let size = at.map_or(0, |at| sizes[at]);
            let overlap = Overlap { shared: size, left: size, right: size };
            let (rule, pass) = (groups.rule(first, first, document), context.number as u32);
            DroppedDocument { document, original: first, rule, pass, overlap, value: PairValue::NONE }
        }
    };
    // Every document is put directly into its place, so nothing has to be sorted.
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

/// Returns the number of features of each of `firsts`, which are ascending and marked in `leading`. If a document has
/// followers, their evidence contains the number; the texts of the rest are read again.
fn sizes(context: &PassContext<'_>, firsts: &[DocId], leading: &RankBitmap, followers: &[DroppedDocument]) -> Result<Vec<u32>> {
    let mut sizes = vec![0; firsts.len()];
    for follower in followers {
        if let Some(at) = leading.rank(follower.original.0) {
            sizes[at] = follower.overlap.right;
        }
    }
    let unknown: Vec<DocId> = firsts.iter().zip(&sizes).filter(|(_, size)| **size == 0).map(|(&first, _)| first).collect();
    let mut found = context.signed.sizes(context.pass, &unknown)?.into_iter();
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

/// Reads dropped documents from the store.
pub fn load(store: &Store, rows: &List<PairRow>) -> Result<Vec<DroppedDocument>> {
    let mut dropped = Vec::with_capacity(rows.len());
    StoredPairs { store, rows }.each(|pair| dropped.push(pair.into()))?;
    Ok(dropped)
}

/// The documents that any pass of a run dropped; all others are kept.
pub struct DroppedDocuments {
    /// Dropped documents, ascending.
    pub dropped: Vec<DroppedDocument>,
    /// The last pass that dropped a document: what it kept is kept for good.
    last: u32,
    /// The leader of each dropped document, if the documents between them are not here.
    leaders: Option<Vec<DocId>>,
    places: RankBitmap,
    group_sizes: Vec<u32>,
    /// Documents whose verdict is not that of the leader rule, because of the number of documents that stay of each group.
    exceptions: Option<RankBitmap>,
}

impl DroppedDocuments {
    /// Returns the verdicts on `documents` documents, of which `dropped` (ascending) are dropped.
    pub fn new(dropped: Vec<DroppedDocument>, documents: usize) -> Self {
        let last = dropped.iter().map(|dropped| dropped.pass).max().unwrap_or(0);
        let places = RankBitmap::new(documents, dropped.iter().map(|dropped| dropped.document.0));
        let mut verdicts = DroppedDocuments { dropped, last, leaders: None, places, group_sizes: Vec::new(), exceptions: None };
        // In components a pass may drop an original, too.
        if verdicts.dropped.iter().any(|dropped| verdicts.get(dropped.original).is_some_and(|original| original.pass == dropped.pass)) {
            verdicts.last = u32::MAX;
        }
        let mut group_sizes = vec![1; documents];
        verdicts.dropped.iter().for_each(|dropped| group_sizes[verdicts.leader_of(dropped).index()] += 1);
        verdicts.group_sizes = group_sizes;
        verdicts
    }

    /// Returns the verdicts on some documents of a run, of which `dropped` (ascending) are dropped for good for `leaders`.
    /// `group_sizes` has the size of the group of every leader, and 1 for every other document.
    pub fn of_some(dropped: Vec<DroppedDocument>, leaders: Vec<DocId>, group_sizes: Vec<u32>) -> Self {
        let places = RankBitmap::new(group_sizes.len(), dropped.iter().map(|dropped| dropped.document.0));
        DroppedDocuments { dropped, last: 0, leaders: Some(leaders), places, group_sizes, exceptions: None }
    }

    /// Reverses the verdicts on `documents`: followers that stay, or leaders that go.
    pub fn reverse(&mut self, documents: Vec<DocId>) {
        let count = self.group_sizes.len();
        self.exceptions = Some(RankBitmap::new(count, documents.into_iter().map(|document| document.0)));
    }

    /// Returns the documents whose verdict is not that of the leader rule, ascending; `None` if one document of each group stays.
    pub fn exceptions(&self) -> Option<impl Iterator<Item = DocId>> {
        self.exceptions.as_ref().map(|exceptions| exceptions.numbers().map(DocId))
    }

    /// Whether the result is without a document.
    pub fn is_dropped(&self, document: DocId) -> bool {
        let is_exception = self.exceptions.as_ref().is_some_and(|exceptions| exceptions.rank(document.0).is_some());
        self.get(document).is_some() != is_exception
    }

    /// Returns the evidence that a document is a duplicate; `None` if it is the leader of its group.
    pub fn get(&self, document: DocId) -> Option<&DroppedDocument> {
        self.places.rank(document.0).map(|place| &self.dropped[place])
    }

    /// Returns the document that is finally kept for a dropped one: its original or, if a later pass dropped that, the leader
    /// of the original.
    pub fn leader_of(&self, dropped: &DroppedDocument) -> DocId {
        if let Some(leaders) = &self.leaders {
            return self.places.rank(dropped.document.0).map_or(dropped.original, |place| leaders[place]);
        }
        let mut last = dropped;
        while last.pass < self.last
            && let Some(later) = self.get(last.original)
        {
            last = later;
        }
        last.original
    }

    /// Returns what a dropped document shares with its leader; `None` if it was compared with another document, which a later
    /// pass dropped.
    pub fn met_leader(&self, dropped: &DroppedDocument) -> Option<Overlap> {
        (self.leader_of(dropped) == dropped.original).then_some(dropped.overlap)
    }

    /// Returns the number of documents that a kept document represents, itself included.
    pub fn group_size(&self, leader: DocId) -> u32 {
        self.group_sizes[leader.index()]
    }
}
