//! Answers to requests: their effects in memory, and the steps for the log.

use crate::decide::comparer::TextComparer;
use crate::decide::verdict::{Admission, Removal, name, verdict};
use crate::documents::document::Document;
use crate::documents::signed::SignedText;
use crate::index::queue::{Request, RequestAnswer};
use crate::snapshot::contents::Snapshot;
use crate::snapshot::step::IndexStep;
use crate::{Error, Result};
use neardup_core::util::ids::DocId;
use std::borrow::Cow;

/// Executes a request in memory, and appends the steps that it takes to `steps`.
pub fn answer(
    contents: &mut Snapshot,
    request: Request,
    steps: &mut Vec<IndexStep<'static>>,
    comparer: &mut TextComparer,
) -> Result<RequestAnswer> {
    match request {
        Request::Add { documents, signed, now } => add(contents, documents, signed, now, steps, comparer).map(RequestAnswer::Added),
        Request::Remove(ids) => {
            let number = |id: &String| contents.of_id(id).ok_or_else(|| Error::Data(format!("id `{id}` is not in the index")));
            let mut numbers: Vec<DocId> = ids.iter().map(number).collect::<Result<_>>()?;
            numbers.sort_unstable();
            numbers.dedup();
            Ok(RequestAnswer::Removed(remove(contents, &numbers, steps, comparer)))
        }
        Request::Expire { now } => Ok(RequestAnswer::Removed(expire(contents, now, steps, comparer))),
        Request::Compact => Ok(RequestAnswer::Compacted),
    }
}

fn add(
    contents: &mut Snapshot,
    documents: Vec<Document>,
    signed: Vec<SignedText>,
    now: i64,
    steps: &mut Vec<IndexStep<'static>>,
    comparer: &mut TextComparer,
) -> Result<Vec<Admission>> {
    contents.check_names(&documents)?;
    let mut admissions = Vec::with_capacity(documents.len());
    for (document, signed) in documents.into_iter().zip(signed) {
        if let Some(number) = contents.same_as(&document) {
            let replaced = Some(name(&contents.index_state.document_table.row(number)));
            let verdict = verdict(&contents.index_state, number, comparer);
            admissions.push(Admission { verdict, replaced, unchanged: true, expired: Vec::new(), changed: Vec::new() });
            continue;
        }
        contents.index_state.shards.begin();
        let mut admission = contents.add(&document, now, signed, comparer);
        steps.push(IndexStep::Add { arrived: now, document: Cow::Owned(document), received: contents.index_state.shards.finish() });
        let Removal { removed, changed } = expire(contents, now, steps, comparer);
        if !removed.is_empty() {
            admission.changed.retain(|old| !removed.contains(&old.id) && !changed.iter().any(|new| new.id == old.id));
            // The verdict is the one that a check returns. Changes of it by the removed documents are reported with all other
            // changes.
            admission.changed.extend(changed);
            admission.expired = removed;
        }
        admissions.push(admission);
    }
    Ok(admissions)
}

/// Removes documents that are too old, then the oldest ones while more are kept than allowed. Duplicates do not count towards that
/// limit.
fn expire(contents: &mut Snapshot, now: i64, steps: &mut Vec<IndexStep<'static>>, comparer: &mut TextComparer) -> Removal {
    let numbers = contents.too_old(now);
    let mut all = remove(contents, &numbers, steps, comparer);
    while let Some(number) = contents.one_too_many() {
        all.add(remove(contents, &[number], steps, comparer));
    }
    all
}

fn remove(contents: &mut Snapshot, numbers: &[DocId], steps: &mut Vec<IndexStep<'static>>, comparer: &mut TextComparer) -> Removal {
    if numbers.is_empty() {
        return Removal::default();
    }
    let serials = numbers.iter().map(|&number| contents.index_state.document_table.row(number).serial).collect();
    contents.index_state.shards.begin();
    let removal = contents.remove(numbers, comparer);
    steps.push(IndexStep::Remove { serials, received: contents.index_state.shards.finish() });
    removal
}
