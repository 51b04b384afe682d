//! The maximum spanning forest of all documents of a run: the forest of the firsts, and the links to their copies.

use crate::Result;
use crate::documents::copy_groups::CopyGroups;
use crate::findings::decisions::DroppedDocument;
use crate::findings::pairs::{PairRow, ScoredPair, oriented};
use crate::findings::pass_context::PassContext;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::util::external_sort::Sorter;
use neardup_core::util::store::List;

/// Returns the forest of all documents, ordered by the ids of left and right. `firsts` is the forest of the documents that
/// represent themselves. Every copy is linked with its first, because no link is stronger. The number of its features is taken
/// from its evidence in `dropped`.
pub fn of_documents(
    context: &PassContext<'_>,
    groups: &CopyGroups,
    firsts: &List<PairRow>,
    dropped: &[DroppedDocument],
    id_rank: &[u32],
) -> Result<List<PairRow>> {
    let rank = |row: &PairRow| u64::from(id_rank[row[0] as usize]) << 32 | u64::from(id_rank[row[1] as usize]);
    let mut sorter = Sorter::new(context.store(), rank, context.budget.room() / 2);
    let mut take = |pair: ScoredPair| oriented(context.signed, id_rank, pair).map_or(Ok(()), |pair| sorter.push(pair.into()));
    for part in firsts.parts(context.store()) {
        part.map_err(neardup_core::Error::from)?.into_iter().try_for_each(|row| take(row.into()))?;
    }
    for &(left, right) in &groups.copies.pairs {
        let at = dropped.binary_search_by_key(&right, |dropped| dropped.document);
        let size = at.map_or(0, |at| dropped[at].overlap.left);
        let overlap = Overlap { shared: size, left: size, right: size };
        let (rule, pass) = (groups.rule(left, left, right), context.number as u32);
        take(ScoredPair { left, right, rule, pass, overlap, value: PairValue::NONE })?;
    }
    Ok(sorter.finish()?)
}
