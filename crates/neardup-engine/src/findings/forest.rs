//! The maximum spanning forest of a run, over documents: that of the firsts, and their copies.

use crate::Result;
use crate::documents::copy_groups::CopyGroups;
use crate::findings::decisions::DroppedDocument;
use crate::findings::pairs::{PairRow, ScoredPair, oriented};
use crate::findings::pass_context::PassContext;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::store::List;

/// The forest of all documents, by the ids of left and right: `firsts` is that of the documents that represent themselves,
/// and every copy is tied to its first, which nothing comes before. What a copy was `dropped` for shows its features, too.
pub fn of_documents(
    turn: &PassContext<'_>,
    groups: &CopyGroups,
    firsts: &List<PairRow>,
    dropped: &[DroppedDocument],
    id_rank: &[u32],
) -> Result<List<PairRow>> {
    let rank = |row: &PairRow| u64::from(id_rank[row[0] as usize]) << 32 | u64::from(id_rank[row[1] as usize]);
    let mut sorter = Sorter::new(turn.store(), rank, turn.budget.room() / 2);
    let mut take = |pair: ScoredPair| oriented(turn.signed, id_rank, pair).map_or(Ok(()), |pair| sorter.push(pair.into()));
    for part in firsts.parts(turn.store()) {
        part.map_err(neardup_core::Error::from)?.into_iter().try_for_each(|row| take(row.into()))?;
    }
    for &(left, right) in &groups.copies.pairs {
        let at = dropped.binary_search_by_key(&right, |dropped| dropped.document);
        let size = at.map_or(0, |at| dropped[at].overlap.left);
        let overlap = Overlap { shared: size, left: size, right: size };
        let (rule, pass) = (groups.rule(left, left, right), turn.number as u32);
        take(ScoredPair { left, right, rule, pass, overlap, value: PairValue::NONE })?;
    }
    Ok(sorter.finish()?)
}
