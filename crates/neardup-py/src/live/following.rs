//! The changes of an index that a following store receives: only those that are on the disk.

use crate::live::document_row::{RowTuple, document_row};
use neardup_core::util::ids::DocId;
use neardup_live::Result;
use neardup_live::decide::comparer::TextComparer;
use neardup_live::decide::verdict::{Verdict, verdict};
use neardup_live::index::Index;
use neardup_live::snapshot::contents::Snapshot;

/// Id, original, rule.
pub type RoleTuple = (String, String, Option<&'static str>);
/// A document, and the rule by which it was dropped.
pub type ArchivedDocument = (RowTuple, Option<&'static str>);
/// Position, removed documents, added documents, roles that changed.
pub type ChangeTuple = (u64, Vec<String>, Vec<ArchivedDocument>, Vec<RoleTuple>);

/// Returns the changes after a step, with at most `count` of the added documents; `None` if the step is too long ago to be
/// remembered.
pub fn changes_since(index: &Index, step: u64, count: usize) -> Result<Option<ChangeTuple>> {
    settled(index, |contents, comparer| {
        let changes = contents.changes_since(step, comparer)?;
        let added = changes.added.iter().take(count).map(|&number| arrival(contents, number, comparer)).collect();
        Some((changes.position, changes.removed, added, changes.changed.into_iter().map(role).collect()))
    })
}

/// Returns the last step, and (id, original) of every document by id.
pub fn originals(index: &Index) -> Result<(u64, Vec<(String, String)>)> {
    settled(index, |contents, _| (contents.steps, contents.roles()))
}

/// Returns the role of each of these documents that is in the index.
pub fn roles(index: &Index, ids: &[String]) -> Result<Vec<RoleTuple>> {
    settled(index, |contents, comparer| {
        let numbers = ids.iter().filter_map(|id| contents.of_id(id));
        numbers.map(|number| role(verdict(&contents.index_state, number, comparer))).collect()
    })
}

/// Returns at most `count` documents that were added after step `after`, and not after step `until`.
pub fn arrivals(index: &Index, after: u64, until: u64, count: usize) -> Result<Vec<ArchivedDocument>> {
    settled(index, |contents, comparer| {
        let serial = |number: DocId| contents.index_state.document_table.row(number).serial;
        let numbers = contents.living_from(after + 1).take_while(|&number| serial(number) <= until).take(count);
        numbers.map(|number| arrival(contents, number, comparer)).collect()
    })
}

fn settled<R>(index: &Index, read: impl FnOnce(&Snapshot, &mut TextComparer) -> R) -> Result<R> {
    index.settled(|contents| index.with_comparer(|comparer| read(contents, comparer)))
}

fn arrival(contents: &Snapshot, number: DocId, comparer: &mut TextComparer) -> ArchivedDocument {
    (document_row(contents, number), rule(&verdict(&contents.index_state, number, comparer)))
}

fn role(verdict: Verdict) -> RoleTuple {
    let rule = rule(&verdict);
    (verdict.id.clone(), verdict.dropped.map_or(verdict.id, |evidence| evidence.original), rule)
}

fn rule(verdict: &Verdict) -> Option<&'static str> {
    verdict.dropped.as_ref().map(|evidence| evidence.rule.name())
}
