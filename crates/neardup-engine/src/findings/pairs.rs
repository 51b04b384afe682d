//! Pairs of documents: what was scored, with exact copies brought back.

use crate::Result;
use crate::documents::copy_groups::CopyGroups;
use crate::documents::signed::SignedCorpus;
use crate::findings::pass_context::PassContext;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::ids::DocId;
use neardup_core::util::store::{List, Store};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Two documents that are near-duplicates, with the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScoredPair {
    /// The document whose id comes first; of a cross pair the one of the input.
    pub left: DocId,
    /// The other.
    pub right: DocId,
    /// Why.
    pub rule: Rule,
    /// The number of the pass that found them.
    pub pass: u32,
    /// What they share.
    pub overlap: Overlap,
    /// What decided, where that is another number.
    pub value: PairValue,
}

/// How many bits the rule takes in a row; the pass is above.
const RULE: u32 = u8::BITS;

/// A pair as the store keeps it.
pub type PairRow = [u32; 8];

impl From<ScoredPair> for PairRow {
    fn from(ScoredPair { left, right, rule, pass, overlap, value }: ScoredPair) -> PairRow {
        let [low, high] = value.words();
        [left.0, right.0, pass << RULE | rule as u32, overlap.shared, overlap.left, overlap.right, low, high]
    }
}

impl From<PairRow> for ScoredPair {
    fn from([left, right, why, shared, left_size, right_size, low, high]: PairRow) -> ScoredPair {
        let (rule, pass) = (Rule::ALL[why as u8 as usize % Rule::ALL.len()], why >> RULE);
        let overlap = Overlap { shared, left: left_size, right: right_size };
        ScoredPair { left: DocId(left), right: DocId(right), rule, pass, overlap, value: PairValue::of_words([low, high]) }
    }
}

/// A family too large to be written as all its pairs: exact copies, or documents that share a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairFamily {
    /// Its first member, the only one that the others are paired with.
    pub first: DocId,
    /// How many members it has.
    pub size: usize,
}

/// All pairs of a run in the order of their ids, in the store.
#[derive(Clone, Copy)]
pub struct StoredPairs<'a> {
    /// Where they are.
    pub store: &'a Store,
    /// One after another.
    pub rows: &'a List<PairRow>,
}

impl StoredPairs<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Some of them.
    pub fn read(&self, range: Range<usize>) -> Result<Vec<ScoredPair>> {
        let rows = self.rows.read(self.store, range).map_err(neardup_core::Error::from)?;
        Ok(rows.into_iter().map(ScoredPair::from).collect())
    }

    /// Does something with every pair, in order.
    pub fn each(&self, mut work: impl FnMut(ScoredPair)) -> Result<()> {
        for part in self.rows.parts(self.store) {
            part.map_err(neardup_core::Error::from)?.into_iter().for_each(|row| work(row.into()));
        }
        Ok(())
    }
}

/// What a row of a table of pairs takes of the disk, whose ids are in order and are packed.
const DISK_PER_ROW: u64 = 12;

/// What this many pairs take of the disk when they are found: in order, as rows of their table, and in sorted runs before, when they
/// are too many for the memory there is for that.
pub fn disk(pairs: u64, memory: usize) -> u64 {
    let row = size_of::<PairRow>() as u64;
    let runs = if pairs * row > memory as u64 { row } else { 0 };
    pairs * (row + runs + DISK_PER_ROW)
}

/// How many pairs [`expand`] gives at most, beside those found before.
pub fn count(turn: &PassContext<'_>, groups: &CopyGroups, near: &List<PairRow>, max_family: usize) -> Result<u64> {
    let signed = turn.signed;
    let against = (signed.reference as usize) < signed.len();
    // Of the input and of the reference, as far as they are tied to others than their first.
    let family = |first: DocId| {
        let copies = groups.copies.of(first);
        let copies = if copies.len() < max_family { copies } else { &[] };
        let references =
            std::iter::once(first).chain(copies.iter().map(|pair| pair.1)).filter(|&member| signed.is_reference(member)).count();
        ((1 + copies.len() - references) as u64, references as u64)
    };
    let mut count = 0;
    for part in near.parts(turn.store()) {
        for row in part.map_err(neardup_core::Error::from)? {
            let (left, right) = (family(DocId(row[0])), family(DocId(row[1])));
            count += if against { left.0 * right.1 + left.1 * right.0 } else { left.0 * right.0 };
        }
    }
    for group in groups.copies.pairs.chunk_by(|left, right| left.0 == right.0) {
        let members = group.len() as u64 + 1;
        let (inputs, references) = family(group[0].0);
        count += match against {
            _ if members as usize > max_family => members - 1,
            true => inputs * references,
            false => members * (members - 1) / 2,
        };
    }
    Ok(count)
}

/// Expands `near`, pairs of firsts that a pass found, by their copies; adds the pairs inside every group of copies, and
/// those found `before`. Groups of more than `max_family` members are tied to their first only. Ordered by the ids of left
/// and right, within about half of the memory.
pub fn expand(
    turn: &PassContext<'_>,
    groups: &CopyGroups,
    near: &List<PairRow>,
    before: &List<PairRow>,
    id_rank: &[u32],
    max_family: usize,
) -> Result<(List<PairRow>, Vec<PairFamily>)> {
    let PassContext { signed, pass, .. } = *turn;
    let store = turn.store();
    let rank = |row: &PairRow| u64::from(id_rank[row[0] as usize]) << 32 | u64::from(id_rank[row[1] as usize]);
    let mut sorter = Sorter::new(store, rank, turn.budget.room() / 2);
    for part in before.parts(store) {
        part.map_err(neardup_core::Error::from)?.into_iter().try_for_each(|row| sorter.push(row))?;
    }
    let mut take = |pair: ScoredPair| oriented(signed, id_rank, pair).map_or(Ok(()), |pair| sorter.push(pair.into()));
    let mut stars = Vec::new();
    let family = |first: DocId| {
        let copies = groups.copies.of(first);
        let copies = if copies.len() < max_family { copies } else { &[] };
        std::iter::once(first).chain(copies.iter().map(|pair| pair.1)).collect::<Vec<DocId>>()
    };
    for part in near.parts(store) {
        for pair in part.map_err(neardup_core::Error::from)?.into_iter().map(ScoredPair::from) {
            let rights = family(pair.right);
            for left in family(pair.left) {
                rights.iter().try_for_each(|&right| take(ScoredPair { left, right, ..pair }))?;
            }
        }
    }
    let firsts: Vec<DocId> = groups.copies.pairs.chunk_by(|left, right| left.0 == right.0).map(|group| group[0].0).collect();
    for (&first, size) in firsts.iter().zip(signed.sizes(pass, &firsts)?) {
        let members: Vec<DocId> = std::iter::once(first).chain(groups.copies.of(first).iter().map(|pair| pair.1)).collect();
        let overlap = Overlap { shared: size, left: size, right: size };
        let star = members.len() > max_family;
        for (at, &left) in members[..if star { 1 } else { members.len() }].iter().enumerate() {
            for &right in &members[at + 1..] {
                let (rule, pass) = (groups.rule(first, left, right), turn.number as u32);
                take(ScoredPair { left, right, rule, pass, overlap, value: PairValue::NONE })?;
            }
        }
        if star {
            stars.push(PairFamily { first, size: members.len() });
        }
    }
    Ok((sorter.finish()?, stars))
}

/// A pair with its left side left; None when it is not asked for. With a reference only cross pairs count, the
/// input's document on the left; else the smaller id is left.
pub fn oriented(signed: &SignedCorpus, id_rank: &[u32], pair: ScoredPair) -> Option<ScoredPair> {
    let reference = |document| signed.is_reference(document);
    let against = (signed.reference as usize) < signed.len();
    if against && reference(pair.left) == reference(pair.right) {
        return None;
    }
    let turned = if against { reference(pair.left) } else { id_rank[pair.left.index()] > id_rank[pair.right.index()] };
    Some(if turned { ScoredPair { left: pair.right, right: pair.left, overlap: pair.overlap.reversed(), ..pair } } else { pair })
}
