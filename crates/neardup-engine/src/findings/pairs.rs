//! Pairs of documents: scored pairs, expanded by exact copies.

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
    /// The document with the smaller id; in a pair of input and reference, the document of the input.
    pub left: DocId,
    /// The other document.
    pub right: DocId,
    /// The rule that holds between them.
    pub rule: Rule,
    /// Number of the pass that found them, from 0.
    pub pass: u32,
    /// Number of features that each has and that both share.
    pub overlap: Overlap,
    /// The value that decided, if that is not the overlap.
    pub value: PairValue,
}

/// Number of bits of the rule in a row; the pass is in the bits above.
const RULE: u32 = u8::BITS;

/// A pair as it is stored.
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
    /// Its first member, the only one with which the others are paired.
    pub first: DocId,
    /// Number of members.
    pub size: usize,
}

/// All pairs of a run in the order of their ids, in the store.
#[derive(Clone, Copy)]
pub struct StoredPairs<'a> {
    /// The store that contains them.
    pub store: &'a Store,
    /// The rows of the pairs, in order.
    pub rows: &'a List<PairRow>,
}

impl StoredPairs<'_> {
    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Reads the pairs in `range`.
    pub fn read(&self, range: Range<usize>) -> Result<Vec<ScoredPair>> {
        let rows = self.rows.read(self.store, range).map_err(neardup_core::Error::from)?;
        Ok(rows.into_iter().map(ScoredPair::from).collect())
    }

    /// Calls `work` with every pair, in order.
    pub fn each(&self, mut work: impl FnMut(ScoredPair)) -> Result<()> {
        for part in self.rows.parts(self.store) {
            part.map_err(neardup_core::Error::from)?.into_iter().for_each(|row| work(row.into()));
        }
        Ok(())
    }
}

/// Number of bytes that a row of a table of pairs takes on disk. The ids are in order and packed.
const DISK_PER_ROW: u64 = 12;

/// Returns the number of bytes that `pairs` pairs take on disk when they are found. They are stored in order and as rows of
/// their table. If they are larger than `memory`, they are first stored in sorted runs, too.
pub fn disk(pairs: u64, memory: usize) -> u64 {
    let row = size_of::<PairRow>() as u64;
    let runs = if pairs * row > memory as u64 { row } else { 0 };
    pairs * (row + runs + DISK_PER_ROW)
}

/// Returns the maximum number of pairs that [`expand`] adds to those found before.
pub fn count(context: &PassContext<'_>, groups: &CopyGroups, near: &List<PairRow>, max_family: usize) -> Result<u64> {
    let signed = context.signed;
    let against = (signed.reference as usize) < signed.len();
    // Number of members in the input and in the reference that are paired with others than their first.
    let family = |first: DocId| {
        let copies = groups.copies.of(first);
        let copies = if copies.len() < max_family { copies } else { &[] };
        let references =
            std::iter::once(first).chain(copies.iter().map(|pair| pair.1)).filter(|&member| signed.is_reference(member)).count();
        ((1 + copies.len() - references) as u64, references as u64)
    };
    let mut count = 0;
    for part in near.parts(context.store()) {
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

/// Expands `near`, the pairs of firsts that a pass found, by their copies. Adds the pairs inside every group of copies, and the
/// pairs found `before`. In a group of more than `max_family` members, all others are paired with the first only. Returns the
/// pairs, ordered by the ids of left and right, and these large groups. Uses about half of the memory.
pub fn expand(
    context: &PassContext<'_>,
    groups: &CopyGroups,
    near: &List<PairRow>,
    before: &List<PairRow>,
    id_rank: &[u32],
    max_family: usize,
) -> Result<(List<PairRow>, Vec<PairFamily>)> {
    let PassContext { signed, pass, .. } = *context;
    let store = context.store();
    let rank = |row: &PairRow| u64::from(id_rank[row[0] as usize]) << 32 | u64::from(id_rank[row[1] as usize]);
    let mut sorter = Sorter::new(store, rank, context.budget.room() / 2);
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
                rights.iter().try_for_each(|&right| {
                    let rule = groups.rule_of_kin((pair.left, left), (pair.right, right)).unwrap_or(pair.rule);
                    take(ScoredPair { left, right, rule, ..pair })
                })?;
            }
        }
    }
    let families = groups.copies.pairs.chunk_by(|left, right| left.0 == right.0).filter(|group| signed.counts(group[0].0, group[0].1));
    let firsts: Vec<DocId> = families.map(|group| group[0].0).collect();
    for (&first, size) in firsts.iter().zip(signed.sizes(pass, &firsts)?) {
        let members: Vec<DocId> = std::iter::once(first).chain(groups.copies.of(first).iter().map(|pair| pair.1)).collect();
        let overlap = Overlap { shared: size, left: size, right: size };
        let star = members.len() > max_family;
        for (at, &left) in members[..if star { 1 } else { members.len() }].iter().enumerate() {
            for &right in &members[at + 1..] {
                let (rule, pass) = (groups.rule(first, left, right), context.number as u32);
                take(ScoredPair { left, right, rule, pass, overlap, value: PairValue::NONE })?;
            }
        }
        if star {
            stars.push(PairFamily { first, size: members.len() });
        }
    }
    Ok((sorter.finish()?, stars))
}

/// Returns a pair with its sides in order; `None` if the pair is not wanted. With a reference only pairs of input and reference
/// are wanted, with the document of the input on the left. Otherwise the document with the smaller id is on the left.
pub fn oriented(signed: &SignedCorpus, id_rank: &[u32], pair: ScoredPair) -> Option<ScoredPair> {
    let reference = |document| signed.is_reference(document);
    let against = (signed.reference as usize) < signed.len();
    if against && reference(pair.left) == reference(pair.right) {
        return None;
    }
    let turned = if against { reference(pair.left) } else { id_rank[pair.left.index()] > id_rank[pair.right.index()] };
    Some(if turned { ScoredPair { left: pair.right, right: pair.left, overlap: pair.overlap.reversed(), ..pair } } else { pair })
}
